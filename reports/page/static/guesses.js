"use strict";
// Guesses what was meant by a text that the grammar of SAN does not allow.

sanproof.guesses = (() => {
  const { read } = sanproof;
  const MOST = 4;
  const FIGURINES = { "♔♚": "K", "♕♛": "Q", "♖♜": "R", "♗♝": "B", "♘♞": "N", "♙♟": "" };
  const FOREIGN = { D: "Q", T: "R", L: "B", F: "B", A: "B", S: "N", C: "N" };
  const SUFFIXES = {
    "": [""],
    "+": ["+"],
    ch: ["+"],
    check: ["+"],
    "#": ["#"],
    mate: ["#"],
    "++": ["+", "#"], // double check in some books, checkmate in others
  };
  const ENDING = /^(.*?)(\+\+|\+|#|ch|check|mate)?\.?$/i;
  const CASTLING = /^[0o]-?[0o](-?[0o])?$/i;
  const PROMOTION = /^([a-h].*[18])[=(/]?([qrbn])\)?$/i;
  const LONG = /^([KQRBN]?)([a-h])([1-8])-(x?)([a-h][1-8])$/i;

  // The strings that a text may stand for, the likeliest first; every word of it may be a move.
  function guesses(text) {
    const words = text.split(/\s+/).map(withoutComment).filter(Boolean);
    const moves = words.map(variants);
    const each = moves.every((found) => found.length);
    const found = each ? moves.flat() : variants(words.join(""));
    return [...new Set(found)].filter((guess) => guess !== text).slice(0, MOST);
  }

  // A word without move number, annotation and "e.p.": nothing if it is only that.
  function withoutComment(word) {
    return word
      .replace(/^\d+\.+/, "")
      .replace(/^(\$\d+|1-0|0-1|1\/2-1\/2|\*)$/, "")
      .replace(/[!?]+$/, "")
      .replace(/e\.?p\.?$/i, "");
  }

  function variants(word) {
    const [, body, ending = ""] = ENDING.exec(plain(word));
    const suffixes = SUFFIXES[ending.toLowerCase()];
    return forms(body).flatMap((form) => suffixes.map((s) => form + s)).filter(read);
  }

  // The same in the characters that SAN uses.
  function plain(word) {
    return word
      .replace(/[♔-♟]/gu, (piece) => FIGURINES[Object.keys(FIGURINES).find((f) => f.includes(piece))])
      .replace(/[:×]/g, "x")
      .replace(/[‐-―−]/g, "-")
      .replace(/‡/g, "#")
      .replace(/†/g, "+");
  }

  // What may be meant by a move without its suffix.
  function forms(body) {
    const castling = CASTLING.exec(body);
    if (castling) return [castling[1] ? "O-O-O" : "O-O"];
    const promotion = PROMOTION.exec(body);
    if (promotion) {
      return forms(promotion[1].toLowerCase()).map((form) => `${form}=${promotion[2].toUpperCase()}`);
    }
    const long = LONG.exec(body);
    return long ? shortened(long) : spellings(body.replace(/-/g, "").replace(/^P/, ""));
  }

  // Long notation in short: how much of the origin is written depends on the position.
  function shortened([, letter, origin, rank, x, target]) {
    const [piece, file, destination] = [letter.toUpperCase(), origin.toLowerCase(), target.toLowerCase()];
    if (piece) return ["", file, rank, file + rank].map((from) => piece + from + x + destination);
    return [file === destination[0] ? destination : `${file}x${destination}`];
  }

  function spellings(text) {
    if (read(text)) return [text];
    const lower = text.toLowerCase();
    const first = text.slice(0, 1);
    return [
      first.toUpperCase() + lower.slice(1), // NF3, nf3
      (FOREIGN[first] ?? first) + text.slice(1), // Sf3
      lower, // E4
    ].filter((form) => read(form) && !leaps(read(form)));
  }

  // Whether a pawn would capture from a file that is not beside its destination.
  function leaps({ piece, capture, file, destination }) {
    const steps = Math.abs((file || destination).charCodeAt(0) - destination.charCodeAt(0));
    return piece === "" && capture !== "" && steps !== 1;
  }

  return guesses;
})();
