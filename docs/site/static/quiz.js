"use strict";
// Ten strings, easy ones first, with the explanation after each answer. The number in the address
// chooses them, so that everyone who gets the link is asked the same.

(() => {
  const all = JSON.parse(document.getElementById("quiz-data").textContent);
  const place = document.getElementById("quiz");
  const OF_LEVEL = [4, 3, 3];
  let questions = [];
  let answers = [];

  function element(tag, properties = {}, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  }

  function button(textContent, act) {
    const made = element("button", { type: "button", textContent });
    made.addEventListener("click", act);
    return made;
  }

  // Numbers from 0 to 1 that follow from a seed (mulberry32).
  function numbers(seed) {
    return () => {
      seed = (seed + 0x6d2b79f5) | 0;
      let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    };
  }

  function start(focus) {
    const seed = /^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : 0;
    const random = numbers(seed);
    questions = OF_LEVEL.flatMap((count, level) => {
      const left = all.filter((question) => question.level === level);
      return Array.from({ length: count }, () => left.splice(random() * left.length, 1)[0]);
    });
    answers = [];
    ask(focus);
  }

  function draw() {
    history.replaceState(null, "", `#${Math.floor(Math.random() * 1e6)}`);
  }

  function ask(focus = true) {
    const { san } = questions[answers.length];
    place.replaceChildren(
      element("p", { className: "small" }, `${answers.length + 1} of ${questions.length}`),
      element("p", { className: "asked" }, element("code", {}, san)),
      element("p", { className: "chosen" },
        button("It can be written", () => tell("reachable")), button("Never", () => tell("impossible"))),
    );
    if (focus) place.querySelector("button").focus();
  }

  function tell(guess) {
    const { san, verdict, why, board } = questions[answers.length];
    const right = guess === verdict;
    answers.push(right);
    const next = button("Next", () => (answers.length < questions.length ? ask() : end()));
    const href = `look-up/index.html#${encodeURIComponent(san)}`;
    const shown = element("div", { innerHTML: board });
    place.replaceChildren(
      element("p", { className: "asked", role: "status" }, right ? "Right: " : "No: ",
        element("code", {}, san), ` is ${verdict}.`),
      element("p", {}, why, " ", element("a", { href, textContent: "More" })),
      element("p", { className: "chosen" }, next),
      shown,
    );
    const drawn = shown.querySelector("[data-fen]");
    if (drawn) sanproofChess.draw(drawn);
    next.focus({ preventScroll: true });
  }

  function end() {
    const score = `${answers.filter(Boolean).length} of ${questions.length}`;
    const row = answers.map((right) => (right ? "\u{1F7E9}" : "\u{1F7E5}")).join("");
    const text = `Which chess moves can be written? ${score} ${row} ${location.href}`;
    const copy = button("Copy", async () => {
      await navigator.clipboard.writeText(text);
      copy.textContent = "Copied";
    });
    const again = button("Ten others", () => {
      draw();
      start(true);
    });
    place.replaceChildren(
      element("p", { className: "asked", role: "status" }, `${score} ${row}`),
      element("p", {}, "To share, with the same ten strings: ", element("code", {}, text)),
      element("p", { className: "chosen" }, copy, again),
    );
    again.focus();
  }

  if (!location.hash) draw();
  addEventListener("hashchange", () => start(true));
  start(false);
})();
