"use strict";
// Draws the positions of a page, each when it comes near, with an arrow for the move.

(() => {
  function draw(board) {
    const { fen, from, to } = board.dataset;
    const [placement, turn] = fen.split(" ");
    board.setAttribute("role", "img");
    board.ariaLabel = `Position ${fen}${from ? `, the move from ${from} to ${to}` : ""}`;
    sanproofChess.Chessground(board, {
      fen: placement,
      orientation: turn === "b" ? "black" : "white",
      viewOnly: true,
      coordinates: true,
      animation: { enabled: false },
      drawable: {
        enabled: false,
        visible: true,
        autoShapes: from ? [{ orig: from, dest: to, brush: "green" }] : [],
      },
    });
  }

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
