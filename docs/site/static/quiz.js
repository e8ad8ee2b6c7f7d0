"use strict";
// Ten strings, one after the other, with the explanation after each answer.

(() => {
  const questions = JSON.parse(document.getElementById("quiz-data").textContent);
  const place = document.getElementById("quiz");
  let asked = 0;
  let right = 0;
  let answered = false; // before that, the focus stays where the reader has it

  function element(tag, properties = {}, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  }

  function ask() {
    const { san } = questions[asked];
    const answer = (text, verdict) => {
      const button = element("button", { type: "button", textContent: text });
      button.addEventListener("click", () => tell(verdict));
      return button;
    };
    place.replaceChildren(
      element("p", {}, `${asked + 1} of ${questions.length}`),
      element("p", { className: "asked" }, element("code", {}, san)),
      element("p", {}, answer("It can be written", "reachable"), " ", answer("Never", "impossible")),
    );
    if (answered) place.querySelector("button").focus();
  }

  function tell(guess) {
    const { san, verdict, why } = questions[asked];
    const correct = guess === verdict;
    right += correct;
    asked += 1;
    answered = true;
    const more = element("button", { type: "button", textContent: "Next" });
    more.addEventListener("click", () => (asked < questions.length ? ask() : end()));
    const link = `look-up/index.html#${encodeURIComponent(san)}`;
    place.replaceChildren(
      element("p", { className: "asked", role: "status" }, correct ? "Right: " : "No: ",
        element("code", {}, san), ` is ${verdict}.`),
      element("p", {}, `${why} `),
      element("p", {}, element("a", { href: link, textContent: "Show it on the board" })),
      element("p", {}, more),
    );
    more.focus();
  }

  function end() {
    const text = `${right} of ${questions.length}: can you tell which chess moves can be written?`;
    const again = element("button", { type: "button", textContent: "Again" });
    again.addEventListener("click", () => {
      asked = right = 0;
      ask();
    });
    place.replaceChildren(
      element("p", { className: "asked", role: "status" }, `${right} of ${questions.length}.`),
      element("p", {}, "To share: ", element("code", {}, `${text} ${location.href}`)),
      element("p", {}, again),
    );
  }

  ask();
})();
