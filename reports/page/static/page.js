"use strict";
// The search box, and what is said of the string in the address.

(() => {
  const { at, element, page, read, write, load, judge, guesses } = sanproof;
  const { shardOf, player, why, atlas, seenSentence, earlySentence } = sanproof;
  const NARROW = matchMedia("(max-width: 50rem)");
  let asked = 0;
  let wanted = false;

  // Looks a string up for a reader who asked for it here: the answer is brought into sight.
  sanproof.open = (text) => {
    const hash = "#" + encodeURIComponent(text);
    wanted = true;
    if (location.hash === hash) follow();
    else location.hash = hash; // followed when the address has changed
  };

  // The reader's keys go to the answer from here on: arrow keys step through the game.
  function bringIntoSight() {
    at("result").focus({ preventScroll: true });
    const { top } = at("san").getBoundingClientRect();
    if (top < 0 || top > innerHeight / 2) {
      at(NARROW.matches ? "result" : "look-up").scrollIntoView({ block: "start" });
    }
  }

  async function answer(text) {
    const mine = ++asked;
    at("query").value = printable(text);
    const san = read(text);
    if (!san) return refuse(text);
    try {
      const shard = await load(shardOf(san));
      if (mine === asked) tell(shard, san);
    } catch (error) {
      if (mine === asked) say(text, "not loaded", error.message);
    }
  }

  function tell(shard, san) {
    const text = write(san);
    const found = judge(shard, san);
    if (found.verdict === "reachable") {
      say(text, "reachable", "");
      player.show(shard, shard.rows.get(text));
      at("seen").textContent = seenSentence(shard.seen?.get(text));
      at("earliest").textContent = earlySentence(shard.earliest?.get(text));
    } else if (found.verdict === "impossible") {
      say(text, "impossible", found.sentence, `${found.reason}: ${found.rule}`);
      why.show(shard, san);
    } else if (found.verdict === "undecided") {
      say(text, "undecided", `${text} is undecided: neither a game nor a refutation was found.`);
    } else {
      say(text, "not asked", `This page is about strings that match ${page.only}.`);
    }
    siblings(shard, san);
    atlas.follow(san);
  }

  function refuse(text) {
    say(
      printable(text),
      "not SAN",
      "This is not a move in SAN. A move is written as: piece K, Q, R, B or N (nothing for a " +
        "pawn); file and rank it comes from, where needed; x for a capture; the square it goes " +
        "to; =Q for a promotion; + or #. Castling is O-O or O-O-O.",
    );
    const meant = guesses(text);
    meant.forEach((guess, i) => {
      const between = i === 0 ? "Did you mean " : i === meant.length - 1 ? " or " : ", ";
      at("siblings").append(between, chip(guess, ""));
    });
    if (meant.length) at("siblings").append("?");
  }

  // A foreign text, short and without characters that do something to others or cannot be seen.
  function printable(text) {
    const seen = text.replace(/[\p{C}\p{M}\u2028\u2029]/gu, "\uFFFD");
    return seen.length > 40 ? seen.slice(0, 40) + "…" : seen;
  }

  function say(text, verdict, sentence, rule = "") {
    player.hide();
    why.hide();
    at("result").hidden = false;
    at("san").textContent = text;
    at("verdict").textContent = verdict;
    at("verdict").dataset.verdict = verdict;
    at("sentence").textContent = sentence;
    at("rule").textContent = rule;
    at("seen").textContent = "";
    at("earliest").textContent = "";
    at("siblings").replaceChildren();
    if (location.hash.length > 1) document.title = `${text}: ${verdict} - sanproof`;
  }

  function siblings(shard, san) {
    for (const suffix of page.parts.suffixes) {
      const other = { ...san, suffix };
      const made = chip(write(other), judge(shard, other).verdict);
      if (suffix === san.suffix) made.setAttribute("aria-current", "true");
      at("siblings").append(made);
    }
  }

  function chip(text, verdict) {
    const link = element("a", { href: "#" + encodeURIComponent(text), textContent: text });
    link.dataset.verdict = verdict;
    if (verdict) link.setAttribute("aria-label", `${text}, ${verdict}`);
    return link;
  }

  // What the address asks for: a string, nothing (null) where it names a section of the page, and
  // an example where it names nothing.
  function asks(hash) {
    let text = hash.slice(1);
    try {
      text = decodeURIComponent(text);
    } catch {
      // Not an encoding of anything: the text stands for itself.
    }
    if (at(text)?.matches("section, article")) return null;
    return text || page.example || null;
  }

  async function follow() {
    const text = asks(location.hash);
    const sought = wanted;
    wanted = false;
    if (text === null) return;
    await answer(text);
    if (sought) bringIntoSight();
  }

  async function anyMove() {
    const places = Object.entries(page.counts).flatMap(([piece, counts]) =>
      Object.entries(counts).map(([destination, count]) => [`${piece || "P"}-${destination}`, count]),
    );
    let left = Math.random() * places.reduce((sum, [, count]) => sum + count, 0);
    const place = places.find(([, count]) => (left -= count) < 0);
    if (!place) return;
    try {
      const strings = [...(await load(place[0])).rows.keys()];
      sanproof.open(strings[Math.floor(Math.random() * strings.length)]);
    } catch (error) {
      say(place[0], "not loaded", error.message);
    }
  }

  at("search").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = at("query").value.trim();
    if (text) sanproof.open(text);
  });
  at("random").addEventListener("click", anyMove);
  addEventListener("hashchange", follow);
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (!link?.hash || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const text = asks(link.hash);
    if (text === null) return;
    event.preventDefault();
    sanproof.open(text);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.closest("input")) return;
    event.preventDefault();
    at("query").focus();
    at("query").select();
  });

  atlas.start();
  wanted = NARROW.matches && location.hash.length > 1; // a link that was sent leads to its answer
  follow().then(atlas.watch); // an answer moves the atlas down, out of sight
  if (location.hash.length <= 1) at("query").value = "";
})();
