"use strict";
// How often a string was played, and how early it can be: each in a sentence.

sanproof.seen = (() => {
  const { page } = sanproof;

  // The same as the command says; nothing if there are no counts.
  function sentence(times) {
    if (!page.observed || times === undefined) return "";
    const played = times === 1 ? "once" : `${times.toLocaleString("en")} times`;
    return `${times ? `Played ${played}` : "Never seen"} in ${page.observed}.`;
  }

  // How early a string can be, if a table says so: the ply known, and the one before which it is not.
  function early(plies) {
    if (!plies) return "";
    const [ply, bound] = plies;
    return ply === bound
      ? `At ply ${ply} at the earliest.`
      : `At ply ${ply} in the shortest game known; none has it before ply ${bound}.`;
  }

  return { sentence, early };
})();
