"use strict";
// The board, and the game that is stepped through on it.

sanproof.player = (() => {
  const { Chess, Chessground, chessgroundMove, makeFen, makeSanAndPlay, makeSquare } = sanproofChess;
  const { parseFen, parseSan, parseUci } = sanproofChess;
  const { at, element } = sanproof;
  const ROLES = ["king", "queen", "rook", "bishop", "knight", "pawn"];
  const LONGEST_LINE = 79; // PGN standard 8.2.1
  let board = null;
  let game = null;

  // The positions of a game, or without games the two of a witness.
  function replay(shard, row, which) {
    if (!shard.games) {
      const [san, fen, uci] = row;
      const before = Chess.fromSetup(parseFen(fen).unwrap()).unwrap();
      const frames = [frame(before), played(before, parseUci(uci), san)];
      return { san, number: null, frames, shown: 0 };
    }
    const [san, moments] = row;
    const [place, shown] = moments[which];
    const [number, moves] = shard.games[place];
    const position = Chess.default();
    const frames = [frame(position)];
    for (const text of moves.split(" ")) {
      // A game of the run is in SAN, one of the shortest games known in UCI.
      const move = number > 0 ? parseSan(position, text) : parseUci(text);
      frames.push(played(position, move, text));
    }
    return { san, number, frames, shown };
  }

  function played(position, move, text) {
    if (!move || !position.isLegal(move)) throw new Error(`${text} cannot be replayed.`);
    const san = makeSanAndPlay(position.clone(), move);
    const squares = chessgroundMove(move);
    const twins = twinsOf(position, move);
    const piece = position.board.get(move.from);
    const taken = takenBy(position, move, piece);
    position.play(move);
    return { ...frame(position), san, squares, twins, piece, taken, promotion: move.promotion };
  }

  function frame(position) {
    return {
      fen: makeFen(position.toSetup()),
      turn: position.turn,
      check: position.isCheck() ? position.turn : false,
    };
  }

  // The squares of the other pieces of the same kind that could make the same move.
  function twinsOf(position, { from, to }) {
    const { role, color } = position.board.get(from);
    if (role === "pawn" || role === "king") return [];
    const others = [...position.board.pieces(color, role)].filter((square) => square !== from);
    return others.filter((square) => position.dests(square).has(to)).map(makeSquare);
  }

  // What a move captures and where; nothing if it does not. In castling the king meets its own rook.
  function takenBy(position, { from, to }, { role, color }) {
    const taken = position.board.get(to);
    if (taken) return taken.color === color ? null : { role: taken.role, square: makeSquare(to) };
    if (role !== "pawn" || from % 8 === to % 8) return null;
    const square = makeSquare(to).charAt(0) + makeSquare(from).charAt(1);
    return { role: "pawn", square, passing: true };
  }

  function show(shard, row) {
    at("player").hidden = at("record").hidden = false;
    board?.redrawAll(); // what it measured while it was hidden is nothing
    board ??= Chessground(at("board"), {
      viewOnly: true,
      coordinates: true,
      animation: { enabled: !matchMedia("(prefers-reduced-motion: reduce)").matches, duration: 160 },
      drawable: { enabled: false, visible: true },
    });
    present(shard, row, 0);
  }

  // Shows one of the games of a string: there is one for each player who can play it.
  function present(shard, row, which) {
    game = replay(shard, row, which);
    board.set({ orientation: game.frames[game.shown].turn });
    at("sentence").textContent = describe();
    at("pgn").textContent = pgn();
    at("game-title").textContent = title(shard, row);
    listPlayers(shard, row, which);
    listMoves();
    go(game.shown);
  }

  function hide() {
    game = null;
    board?.setAutoShapes([]); // an arrow cannot be drawn on a board that has no size
    at("player").hidden = at("record").hidden = at("players").hidden = true;
  }

  function title(shard, row) {
    if (game.number === null) return "This run looked for positions only, not for games.";
    const who = nameOf(game.frames[game.shown].turn);
    const only = row[1].length === 1 ? ` Only ${who} can play ${game.san}.` : "";
    const plies = game.frames.length - 1;
    return game.number > 0
      ? `A game of ${plies} plies, from the initial position to checkmate.${only}`
      : `The shortest game known: ${game.san} at ply ${game.shown + 1} of ${plies}.${only}`;
  }

  // A button for the game of each player, if both can play the string.
  function listPlayers(shard, row, which) {
    const moments = shard.games ? row[1] : [];
    at("players").hidden = moments.length < 2;
    at("players").replaceChildren(
      ...moments.map(([, ply], i) => {
        const textContent = `${nameOf(ply % 2 ? "black" : "white")}'s game`;
        const button = element("button", { type: "button", textContent });
        button.setAttribute("aria-pressed", i === which);
        button.addEventListener("click", () => {
          present(shard, row, i);
          at("players").children[i].focus();
        });
        return button;
      }),
    );
  }

  function nameOf(color) {
    return color === "white" ? "White" : "Black";
  }

  // What the move is, in words.
  function describe() {
    const { piece, squares, twins, san, taken, promotion } = game.frames[game.shown + 1];
    const who = nameOf(piece.color);
    const ending = { "+": "gives check", "#": "gives checkmate" }[san.at(-1)];
    if (san.startsWith("O")) {
      const side = san.startsWith("O-O-O") ? "queenside" : "kingside";
      return `${who} to move. ${who} ${series([`castles ${side}`, ending])}.`;
    }
    const main = taken
      ? `takes the ${taken.role} on ${taken.square}` +
        (taken.passing ? ` in passing, landing on ${squares[1]}` : "")
      : `goes to ${squares[1]}`;
    const becomes = promotion && `becomes a ${promotion}`;
    const others = twins.length
      ? ` The ${piece.role}${twins.length > 1 ? "s" : ""} on ${series(twins)} could go there too.`
      : "";
    const does = series([main, becomes, ending]);
    return `${who} to move. The ${piece.role} on ${squares[0]} ${does}.${others}`;
  }

  // "a", "a and b", "a, b and c".
  function series(parts) {
    const said = parts.filter(Boolean);
    return [said.slice(0, -1).join(", "), said.at(-1)].filter(Boolean).join(" and ");
  }

  function go(index) {
    const last = game.frames.length - 1;
    game.index = Math.max(0, Math.min(last, index));
    const { fen, turn, check, squares } = game.frames[game.index];
    const autoShapes = game.index === game.shown ? shapes(game.frames[game.shown + 1]) : [];
    board.set({ fen, turnColor: turn, check, lastMove: squares, drawable: { autoShapes } });
    at("fen").value = fen;
    at("lichess").href = `https://lichess.org/analysis/${fen.replaceAll(" ", "_")}`;
    at("chesscom").href = `https://www.chess.com/analysis?fen=${encodeURIComponent(fen)}`;
    at("board").setAttribute("aria-label", spoken(fen));
    at("where").textContent = where();
    const [arrow, ring, shade] = at("marks").children;
    arrow.hidden = game.index !== game.shown;
    ring.hidden = autoShapes.length < 2;
    shade.hidden = !squares;
    for (const button of at("moves").querySelectorAll("button")) {
      const current = Number(button.dataset.index) === game.index;
      button.toggleAttribute("aria-current", current);
      const first = game.index === 0 && button.dataset.index === "1"; // the list can be scrolled
      button.tabIndex = current || first ? 0 : -1;
      if (current || first) reveal(button);
    }
    for (const [step, end] of Object.entries({ first: 0, back: 0, on: last, last })) {
      const button = at("player").querySelector(`[data-step=${step}]`);
      button.setAttribute("aria-disabled", game.index === end);
    }
  }

  function shapes({ squares: [orig, dest], twins }) {
    const arrow = { orig, dest, brush: "green" };
    return [arrow, ...twins.map((square) => ({ orig: square, brush: "yellow" }))];
  }

  function where() {
    const { index, shown, frames } = game;
    if (index === shown) return `The move comes next: ${numbered(shown + 1)}.`;
    if (index === 0) return "The initial position.";
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
      if (i % 2 === 0) list.append(element("li"));
      const button = element("button", { type: "button", textContent: san });
      button.dataset.index = i + 1;
      button.classList.toggle("shown", i === game.shown);
      list.lastElementChild.append(button);
    });
  }

  // The game as PGN, in the form of PGN's export format.
  function pgn() {
    const [{ fen, turn }, ...played] = game.frames;
    const { check, turn: loser } = played.at(-1);
    const mates = check && played.at(-1).san.endsWith("#");
    const result = !mates ? "*" : loser === "black" ? "1-0" : "0-1";
    const setUp = game.number === null ? { SetUp: "1", FEN: fen } : {};
    const round = game.number > 0 ? String(game.number) : "?";
    const unknown = { Site: "?", Date: "????.??.??", Round: round, White: "?", Black: "?" };
    const tags = Object.entries({ Event: "sanproof", ...unknown, Result: result, ...setUp });
    const first = 2 * Number(fen.split(" ").at(-1)) - (turn === "white" ? 2 : 1);
    const words = played.flatMap(({ san }, i) => {
      const number = Math.floor((first + i) / 2) + 1;
      if ((first + i) % 2 === 0) return [`${number}.`, san];
      return i === 0 ? [`${number}...`, san] : [san];
    });
    const heads = tags.map(([name, value]) => `[${name} "${value}"]`);
    return [...heads, "", ...lines([...words, result]), ""].join("\n");
  }

  // Words on lines of the length that PGN allows.
  function lines(words) {
    const made = [""];
    for (const word of words) {
      const longer = made.at(-1) ? `${made.at(-1)} ${word}` : word;
      if (longer.length > LONGEST_LINE) made.push(word);
      else made[made.length - 1] = longer;
    }
    return made;
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
    const { target, altKey, ctrlKey, metaKey, shiftKey } = event;
    const key = event.key === "F" ? "f" : event.key; // with the caps lock on
    if (!game || altKey || ctrlKey || metaKey || shiftKey || !KEYS[key]) return;
    if (target.closest("input, textarea, select, table, pre")) return;
    const scrolls = key === "Home" || key === "End"; // the page, if the answer is not in use
    if (scrolls && !target.closest("#result")) return;
    event.preventDefault();
    STEPS[KEYS[key]]();
    if (target.closest("#moves")) at("moves").querySelector("[aria-current]")?.focus();
  });

  const COPIES = {
    fen: () => at("fen").value,
    pgn: () => at("pgn").textContent,
    link: () => `${location.href.split("#")[0]}#${encodeURIComponent(game.san)}`,
  };

  // Copies a text; without the clipboard's newer interface in the way that browsers had before.
  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = element("textarea", { value: text });
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  }

  at("copies").addEventListener("click", async ({ target }) => {
    const button = target.closest("button");
    if (!game || !button) return;
    const done = await copy(COPIES[button.dataset.copy]());
    button.focus();
    const name = button.textContent.replace("Copy ", "");
    at("copied").textContent = done ? `${name} copied.` : `The browser did not copy the ${name}.`;
  });

  return { show, hide };
})();
