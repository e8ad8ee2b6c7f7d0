"use strict";
// A board that shows why a string is impossible. Marks are those of `sanproof explain`.

sanproof.why = (() => {
  const { Chessground } = sanproofChess;
  const { at, element, write } = sanproof;
  const FILES = "abcdefgh";
  const MEANINGS = {
    twin: "another such piece that could go there, so the origin must be written",
    left: "the square that it left",
    before: "attacked before the move: a king here was in check already",
    shut: "another such piece is in between, or had to see past this square, which was empty",
    comes: "from here such a piece reaches the destination",
    named: "the string names it, but no such piece reaches the destination from here",
    both: "the string names it, and such a piece reaches the destination from here",
  };
  const ROLES = { B: "bishop", K: "king", N: "knight", Q: "queen", R: "rook", "": "pawn" };
  let board = null;

  function reaches(san, from) {
    const to = san.destination;
    const files = Math.abs(FILES.indexOf(from[0]) - FILES.indexOf(to[0]));
    const up = Number(to[1]) - Number(from[1]);
    const ranks = Math.abs(up);
    const straight = (files === 0) !== (ranks === 0);
    const diagonal = files === ranks && files !== 0;
    switch (san.piece) {
      case "N": return files * ranks === 2;
      case "B": return diagonal;
      case "R": return straight;
      case "Q": return straight || diagonal;
      case "K": return Math.max(files, ranks) === 1;
      default:
        if (from[1] === "1" || from[1] === "8") return false; // a pawn of either player
        if (san.capture) return files === 1 && ranks === 1;
        return files === 0 &&
          (ranks === 1 || (up === 2 && to[1] === "4") || (up === -2 && to[1] === "5"));
    }
  }

  // Squares by kind of mark: of a move that never gives check the run says them.
  function marksOf(shard, san) {
    const told = shard.marks?.[write({ ...san, suffix: "" })];
    if (told) return Object.entries(told).flatMap(([m, s]) => s.split(" ").map((q) => [q, m]));
    const all = [...FILES].flatMap((file) => [..."12345678"].map((rank) => file + rank));
    return all.flatMap((square) => {
      const comes = reaches(san, square);
      const fits = (!san.file || san.file === square[0]) && (!san.rank || san.rank === square[1]);
      const named = (san.file || san.rank) && fits;
      if (!comes && !named) return [];
      return [[square, comes && named ? "both" : comes ? "comes" : "named"]];
    });
  }

  function show(shard, san) {
    if (!san.destination) return;
    const marks = marksOf(shard, san);
    const role = ROLES[san.piece];
    at("why").hidden = false;
    board?.destroy();
    board = Chessground(at("why-board"), {
      fen: "8/8/8/8/8/8/8/8",
      viewOnly: true,
      coordinates: true,
      animation: { enabled: false },
      drawable: { enabled: false, visible: true },
      highlight: { custom: new Map(marks.map(([square, mark]) => [square, `mark-${mark}`])) },
    });
    const twins = marks.filter(([, mark]) => mark === "twin").map(([square]) => square);
    const pieces = [san.destination, ...twins].map((square) => [square, { role, color: "white" }]);
    board.setPieces(new Map(pieces));
    board.setAutoShapes(twins.map((orig) => ({ orig, brush: "yellow" })));
    legend(marks);
    at("why-board").setAttribute("aria-label", spoken(role, san, marks));
  }

  function kinds(marks) {
    return Object.keys(MEANINGS).filter((kind) => marks.some(([, mark]) => mark === kind));
  }

  function legend(marks) {
    at("legend").replaceChildren(
      ...kinds(marks).map((kind) =>
        element("li", {}, element("i", { className: `mark-${kind}` }), MEANINGS[kind]),
      ),
    );
  }

  // The picture for those who do not see it.
  function spoken(role, san, marks) {
    const said = kinds(marks).map((kind) => {
      const squares = marks.filter(([, mark]) => mark === kind).map(([square]) => square);
      return `${squares.join(", ")}: ${MEANINGS[kind]}.`;
    });
    return `Chess board. The ${role} on ${san.destination}. ${said.join(" ")}`;
  }

  function hide() {
    at("why").hidden = true;
    board?.setAutoShapes([]);
  }

  return { show, hide };
})();
