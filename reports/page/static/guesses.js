"use strict";
// Guesses what was meant by a text that the grammar of SAN does not allow, by the rules of
// reports/exports/meant.py, which the page brings as patterns with their replacements.

sanproof.guesses = (() => {
  const { page, read } = sanproof;
  const RULES = page.meant.map(([pattern, to]) => [
    new RegExp(pattern, "g"),
    to.replace(/\\(\d)/g, "$$$1"),
  ]);

  // The string that a text may stand for, if any; "++" gives two.
  function guesses(given) {
    const text = RULES.reduce((one, [from, to]) => one.replace(from, to), given);
    if (text.endsWith("++")) {
      const bare = text.replace(/\++$/, "");
      return [`${bare}+`, `${bare}#`].filter(read);
    }
    return [text, text.slice(0, 1).toUpperCase() + text.slice(1)].filter(read).slice(0, 1);
  }

  return guesses;
})();
