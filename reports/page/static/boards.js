"use strict";
// Draws the positions of a page, each when it comes near, with an arrow for the move.

(() => {
  const words = (text) => (text ?? "").split(" ").filter(Boolean);

  // A board may have a move, moves that were read instead, rings, and marks such as "a1:left".
  function draw(board) {
    const { fen, from, to, wrong, rings, marks } = board.dataset;
    const [placement, turn] = fen.split(" ");
    const taken = words(wrong).map((uci) => [uci.slice(0, 2), uci.slice(2, 4), "red"]);
    const arrows = from ? [...taken, [from, to, "green"]] : taken;
    board.setAttribute("role", "img");
    const arrow = from ? `, the move from ${from} to ${to}` : "";
    if (!board.ariaLabel) board.ariaLabel = `Position ${fen}${arrow}`;
    sanproofChess.Chessground(board, {
      fen: placement,
      orientation: turn === "b" ? "black" : "white",
      viewOnly: true,
      coordinates: true,
      animation: { enabled: false },
      highlight: {
        custom: new Map(words(marks).map((mark) => mark.replace(":", ":mark-").split(":"))),
      },
      drawable: {
        enabled: false,
        visible: true,
        autoShapes: [
          ...arrows.map(([orig, dest, brush]) => ({ orig, dest, brush })),
          ...words(rings).map((orig) => ({ orig, brush: "yellow" })),
        ],
      },
    });
  }

  sanproofChess.draw = draw;

  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        draw(target);
      }
    },
    { rootMargin: "300px" },
  );
  for (const board of document.querySelectorAll("[data-fen]")) near.observe(board);

  addEventListener("beforeprint", () => {
    for (const board of document.querySelectorAll("[data-fen]:empty")) {
      near.unobserve(board);
      draw(board);
    }
  });
})();
