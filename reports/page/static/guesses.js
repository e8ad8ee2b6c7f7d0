"use strict";
// Guesses what was meant by a text that the grammar of SAN does not allow, by the rules of
// reports/exports/meant.py, which the page brings as patterns with their replacements.

sanproof.guesses = (() => {
  const { page, read } = sanproof;
  const compiled = (rules) =>
    rules.map(([pattern, to]) => [new RegExp(pattern, "g"), to.replace(/\\(\d)/g, "$$$1")]);
  const JOINED = compiled(page.meant.joined);
  const EACH = compiled(page.meant.each);

  const applied = (text, rules) => rules.reduce((one, [from, to]) => one.replace(from, to), text);

  // The strings that a text may stand for: several moves give one each, and "++" gives two.
  function guesses(text) {
    const moves = applied(text, JOINED).split(/\s+/).filter(Boolean);
    if (!moves.length || moves.length > page.meant.moves) return [];
    const found = moves.map(readings);
    return found.every((some) => some.length) ? [...new Set(found.flat())] : [];
  }

  function readings(move) {
    if (read(move)) return [move];
    const text = applied(move, EACH);
    if (text.endsWith("++")) {
      const bare = text.replace(/\++$/, "");
      return [`${bare}+`, `${bare}#`].filter(read);
    }
    return [text, text.slice(0, 1).toUpperCase() + text.slice(1)].filter(read).slice(0, 1);
  }

  return guesses;
})();
