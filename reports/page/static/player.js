"use strict";
// The board, and the game that is stepped through on it.

sanproof.player = (() => {
  const { Chess, Chessground, chessgroundMove, makeFen, makeSquare, parseFen, parseSan, parseUci } =
    sanproofChess;
  const { page } = sanproof;
  const at = (id) => document.getElementById(id);
  const ROLES = ["king", "queen", "rook", "bishop", "knight", "pawn"];
  let board = null;
  let game = null;

  // The positions of a row's game, or without a game the two of its witness.
  function replay([san, fen, uci, number, ply, moves]) {
    if (moves === undefined) {
      const before = Chess.fromSetup(parseFen(fen).unwrap()).unwrap();
      const frames = [frame(before), played(before, parseUci(uci), san)];
      return { san, number: null, frames, shown: 0 };
    }
    const position = Chess.default();
    const frames = [frame(position)];
    for (const move of moves.split(" ")) {
      frames.push(played(position, parseSan(position, move), move));
    }
    return { san, number, frames, shown: ply };
  }

  function played(position, move, san) {
    if (!move || !position.isLegal(move)) throw new Error(`${san} cannot be replayed.`);
    const squares = chessgroundMove(move);
    const twins = twinsOf(position, move);
    const piece = position.board.get(move.from);
    position.play(move);
    return { ...frame(position), san, squares, twins, piece };
  }

  function frame(position) {
    return {
      fen: makeFen(position.toSetup()),
      turn: position.turn,
      check: position.isCheck() ? position.turn : false,
    };
  }

  // The squares of the pieces from which the discriminator tells the one that moves.
  function twinsOf(position, { from, to }) {
    const { role, color } = position.board.get(from);
    if (role === "pawn" || role === "king") return [];
    const others = [...position.board.pieces(color, role)].filter((square) => square !== from);
    return others.filter((square) => position.dests(square).has(to)).map(makeSquare);
  }

  function show(row) {
    game = replay(row);
    const mover = game.frames[game.shown].turn;
    at("player").hidden = at("record").hidden = false;
    board?.redrawAll(); // what it measured while it was hidden is nothing
    board ??= Chessground(at("board"), {
      viewOnly: true,
      coordinates: true,
      animation: { enabled: !matchMedia("(prefers-reduced-motion: reduce)").matches, duration: 160 },
      drawable: { enabled: false, visible: true },
    });
    board.set({ orientation: mover });
    at("pgn-box").hidden = game.number === null;
    at("pgn").textContent = pgn();
    at("game-title").textContent =
      game.number === null
        ? "This run looked for positions only, not for games."
        : `Game ${game.number.toLocaleString("en")} of games.pgn.gz: ` +
          `${game.frames.length - 1} plies from the starting array to checkmate.`;
    listMoves();
    go(game.shown);
    return describe();
  }

  function hide() {
    game = null;
    at("player").hidden = at("record").hidden = true;
  }

  // What the move is, in words.
  function describe() {
    const { piece, squares, twins, san } = game.frames[game.shown + 1];
    const who = piece.color === "white" ? "White" : "Black";
    const ending = { "+": ", with check", "#": ", checkmate" }[san.at(-1)] ?? "";
    if (san.startsWith("O")) return `${who} castles${ending}.`;
    const told = twins.length
      ? ` The ${piece.role}${twins.length > 1 ? "s" : ""} on ${twins.join(", ")} could go there too.`
      : "";
    return `${who} moves the ${piece.role} from ${squares[0]} to ${squares[1]}${ending}.${told}`;
  }

  function go(index) {
    const last = game.frames.length - 1;
    game.index = Math.max(0, Math.min(last, index));
    const { fen, turn, check, squares } = game.frames[game.index];
    const autoShapes = game.index === game.shown ? shapes(game.frames[game.shown + 1]) : [];
    board.set({ fen, turnColor: turn, check, lastMove: squares, drawable: { autoShapes } });
    at("fen").value = fen;
    at("board").setAttribute("aria-label", spoken(fen));
    at("where").textContent = where();
    for (const button of at("moves").querySelectorAll("button")) {
      const current = Number(button.dataset.index) === game.index;
      button.toggleAttribute("aria-current", current);
      button.tabIndex = current ? 0 : -1;
      if (current) reveal(button);
    }
    for (const [step, disabled] of [
      ["first", game.index === 0],
      ["back", game.index === 0],
      ["on", game.index === last],
      ["last", game.index === last],
    ]) {
      at("player").querySelector(`[data-step=${step}]`).setAttribute("aria-disabled", disabled);
    }
  }

  function shapes({ squares: [orig, dest], twins }) {
    const arrow = { orig, dest, brush: "green" };
    return [arrow, ...twins.map((square) => ({ orig: square, brush: "yellow" }))];
  }

  function where() {
    const { index, shown, frames } = game;
    if (index === shown) return `${numbered(shown + 1)} is the move; here it is about to be played.`;
    if (index === 0) return "The starting array.";
    return index === shown + 1 ? `${numbered(index)} is played.` : `After ${numbered(index)}.`;
    function numbered(i) {
      if (game.number === null) return frames[i].san;
      return `${Math.ceil(i / 2)}${i % 2 ? "." : "..."} ${frames[i].san}`;
    }
  }

  // Scrolls the list only: the page stays where the reader is.
  function reveal(button) {
    const list = at("moves");
    list.scrollTop = button.offsetTop - list.clientHeight / 2;
  }

  function listMoves() {
    const list = at("moves");
    list.replaceChildren();
    list.hidden = game.number === null;
    game.frames.slice(1).forEach(({ san }, i) => {
      if (i % 2 === 0) list.append(document.createElement("li"));
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = san;
      button.dataset.index = i + 1;
      button.classList.toggle("shown", i === game.shown);
      list.lastElementChild.append(button);
    });
  }

  function pgn() {
    const moves = game.frames.slice(1).map(({ san }, i) => (i % 2 ? san : `${i / 2 + 1}. ${san}`));
    return `${moves.join(" ")} ${moves.length % 2 ? "1-0" : "0-1"}`;
  }

  // A position for those who do not see the board.
  function spoken(fen) {
    const found = parseFen(fen).unwrap();
    const side = (color) => {
      const pieces = ROLES.flatMap((role) =>
        [...found.board.pieces(color, role)].map((square) => `${role} ${makeSquare(square)}`),
      );
      return `${color === "white" ? "White" : "Black"}: ${pieces.join(", ")}.`;
    };
    return `Chess board. ${side("white")} ${side("black")}`;
  }

  const STEPS = {
    first: () => go(0),
    back: () => go(game.index - 1),
    shown: () => go(game.shown),
    on: () => go(game.index + 1),
    last: () => go(game.frames.length - 1),
    turn: () => board.toggleOrientation(),
  };
  const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", f: "turn" };

  at("player").addEventListener("click", ({ target }) => {
    const step = target.closest("button")?.dataset.step;
    if (game && step) STEPS[step]();
  });
  at("moves").addEventListener("click", ({ target }) => {
    if (target.dataset.index) go(Number(target.dataset.index));
  });
  document.addEventListener("keydown", (event) => {
    const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (!game || altKey || ctrlKey || metaKey || shiftKey || !KEYS[key]) return;
    if (target.closest("input, textarea, select, table, pre")) return;
    const inside = target.closest("#player, #record");
    if (!inside && !key.startsWith("Arrow")) return; // Home and End scroll the page elsewhere
    event.preventDefault();
    STEPS[KEYS[key]]();
    if (target.closest("#moves")) at("moves").querySelector("[aria-current]")?.focus();
  });

  return { show, hide };
})();
