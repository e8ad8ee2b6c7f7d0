// Adapter for cm-chess (npm), by its documented Chess; it is sloppy by default, and
// `node cm_chess.mjs strict` sets `sloppy: false`.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Chess } from 'cm-chess/src/Chess.js';

const sloppy = process.argv[2] !== 'strict';
const { version } = JSON.parse(readFileSync(new URL('node_modules/cm-chess/package.json', import.meta.url)));

function moved(chess, move) {
  const found = chess.move(move);
  if (!found) throw new Error('move returned null');
  return found;
}

const operations = {
  read({ fen, san }) {
    const { from, to, promotion } = moved(new Chess({ fen, sloppy }), san);
    return from + to + (promotion ?? '');
  },
  write({ fen, uci }) {
    const move = { from: uci.slice(0, 2), to: uci.slice(2, 4), promotion: uci[4] };
    return moved(new Chess({ fen, sloppy }), move).san;
  },
  moves({ fen }) {
    return new Chess({ fen, sloppy }).moves();
  },
  play({ fen, san }) {
    const chess = new Chess({ fen, sloppy });
    moved(chess, san);
    return chess.fen();
  },
  game({ pgn }) {
    const chess = new Chess({ pgn, sloppy });
    return { moves: chess.history().map((move) => move.san), fen: chess.fen() };
  },
};
const greeting = {
  sanproof: 1,
  name: 'cm-chess',
  version,
  language: 'JavaScript',
  settings: sloppy ? '' : 'sloppy: false',
  operations: Object.keys(operations),
};

console.log(JSON.stringify(greeting));
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  let answer;
  try {
    answer = { result: operations[asked.operation](asked) };
  } catch (error) {
    answer = { rejected: String(error?.message ?? error) }; // it did not take the move
  }
  console.log(JSON.stringify({ id: asked.id, ...answer }));
}
