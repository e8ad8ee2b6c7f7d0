"use strict";
// How often strings were played, and how early: in a sentence, in a few characters, and as a shade
// of one colour.

sanproof.seen = (() => {
  const { element, page } = sanproof;
  const UNITS = [[1e9, "bn"], [1e6, "M"], [1e3, "k"]];

  // The same as the command says; nothing if there are no counts.
  function sentence(times) {
    if (!page.observed || times === undefined) return "";
    return `${how(times)} in ${page.observed}.`;
  }

  function how(times) {
    if (times === 0) return "Never seen";
    return times === 1 ? "Played once" : `Played ${times.toLocaleString("en")} times`;
  }

  // How early a string can be, if a table says so: the ply known, and the one before which it is not.
  function early(plies) {
    if (!plies) return "";
    const [ply, bound] = plies;
    return ply === bound
      ? `At ply ${ply} at the earliest.`
      : `At ply ${ply} in the shortest game known; none has it before ply ${bound}.`;
  }

  // 7719384146 is 7.7bn, 31545043 is 32M.
  function short(times) {
    const [unit, name] = UNITS.find(([size]) => times >= 0.9995 * size) ?? [1, ""];
    const number = times / unit;
    return (number < 9.95 && unit > 1 ? number.toFixed(1) : Math.round(number)) + name;
  }

  // The shades of a board: the logarithm of what is least is light, of what is most is dark.
  function shades(numbers) {
    const logs = numbers.filter((times) => times > 0).map(Math.log10);
    const [low, high] = [Math.min(...logs), Math.max(...logs)];
    return {
      steps: high > low ? [0, 1, 2, 3].map((i) => 10 ** (low + ((high - low) * i) / 3)) : [10 ** low],
      paint(cell, times) {
        const share = high > low ? (Math.log10(times) - low) / (high - low) : 1;
        cell.classList.add("played");
        cell.classList.toggle("unplayed", times === 0);
        if (times) cell.style.setProperty("--share", share.toFixed(3));
      },
    };
  }

  const TIMES = "times played";
  const UNIT_NAMES = "; k: thousand, M: million, bn: billion";

  function legend({ steps, paint }, hasNever, what = TIMES) {
    const numbers = [...(hasNever ? [0] : []), ...(Number.isFinite(steps[0]) ? steps : [])];
    const samples = numbers.map((times) => {
      const sample = element("span", { textContent: short(times) });
      paint(sample, times);
      return sample;
    });
    const never = hasNever ? `; 0 is ${what === TIMES ? "never" : "not known"}` : "";
    return [...samples, ` ${what}${never}${what === TIMES ? UNIT_NAMES : ""}`];
  }

  return { sentence, early, short, shades, how, legend };
})();
