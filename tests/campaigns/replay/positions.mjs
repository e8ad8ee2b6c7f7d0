// Has a chess library read positions and moves: node positions.mjs chess.js|chessops < positions.csv
//
// The table is that of `sanproof export --what witnesses --format csv`. Of each row the library reads
// before_fen, finds the move that san names, writes it, plays it, and writes the position that comes
// of it. Prints what it found as JSON: how many rows there are, the first rows of each kind that does
// not hold, and with how many of each kind.

import { createInterface } from "node:readline";

const EXAMPLES = 5;

/** What chessops makes of a row: the SAN and the FEN that it writes itself. */
async function withChessops() {
  const { parseFen, makeFen } = await import("chessops/fen");
  const { Chess } = await import("chessops/chess");
  const { parseSan, makeSanAndPlay } = await import("chessops/san");
  return (fen, san) => {
    const position = Chess.fromSetup(parseFen(fen).unwrap()).unwrap();
    const move = parseSan(position, san);
    if (!move) throw new Error("illegal or ambiguous");
    return { san: makeSanAndPlay(position, move), fen: makeFen(position.toSetup()) };
  };
}

/** The same of chess.js, which refuses what it would not write. */
async function withChessJs() {
  const { Chess } = await import("chess.js");
  return (fen, san) => {
    const chess = new Chess(fen);
    const move = chess.move(san, { strict: true });
    return { san: move.san, fen: chess.fen() };
  };
}

const play = await { "chess.js": withChessJs, chessops: withChessops }[process.argv[2]]();
const kinds = { refused: 0, "other SAN": 0, "other en passant square": 0, "other position": 0 };
const examples = [];
let rows = 0;
let named = 0;

function object(kind, row, what) {
  kinds[kind] += 1;
  if (kinds[kind] <= EXAMPLES) examples.push(`${kind}: row ${rows}: ${row}: ${what}`);
}

/** A FEN without its en passant field. */
function withoutSquare(fen) {
  return fen.split(" ").filter((_, i) => i !== 3).join(" ");
}

function check(row) {
  const [before, san, after] = row.split(",");
  let found;
  try {
    found = play(before, san);
  } catch (error) {
    return object("refused", row, error.message);
  }
  if (found.san !== san) object("other SAN", row, found.san);
  // Programs differ about it: after each double push, or only where such a capture is legal.
  const [theirs, ours] = [found.fen, after].map(withoutSquare);
  if (theirs !== ours) object("other position", row, found.fen);
  else if (found.fen !== after) object("other en passant square", row, found.fen);
  if (after.split(" ")[3] !== "-") named += 1;
}

for await (const line of createInterface({ input: process.stdin })) {
  if (rows === 0 && line === "before_fen,san,after_fen") continue;
  rows += 1;
  check(line);
}
process.stdout.write(`${JSON.stringify({ rows, named, kinds, examples }, null, 1)}\n`);
