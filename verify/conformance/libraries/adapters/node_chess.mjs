// Adapter for chess (npm), node-chess, by its documented client; `node node_chess.mjs PGN` sets
// `PGN: true`. The client shows no FEN with all six fields, so it is not asked for one.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import chess from 'chess';

const PGN = process.argv[2] === 'PGN';
const { version } = JSON.parse(readFileSync(new URL('node_modules/chess/package.json', import.meta.url)));
const square = ({ file, rank }) => file + rank;

const operations = {
  read({ fen, san }) {
    const client = chess.fromFEN(fen, { PGN });
    let promoted = '';
    client.on('promote', ({ piece }) => {
      promoted = piece.notation.toLowerCase();
    });
    const { prevSquare, postSquare } = client.move(san).move;
    return square(prevSquare) + square(postSquare) + promoted;
  },
  write({ fen, uci }) {
    const { notatedMoves } = chess.fromFEN(fen, { PGN }).getStatus();
    const found = Object.entries(notatedMoves).find(([text, { src, dest }]) => {
      const promotes = uci.length === 5 ? text.endsWith(uci[4].toUpperCase()) : true;
      return square(src) + square(dest) === uci.slice(0, 4) && promotes;
    });
    if (!found) throw new Error('notatedMoves has no such move');
    return found[0];
  },
  moves({ fen }) {
    return Object.keys(chess.fromFEN(fen, { PGN }).getStatus().notatedMoves);
  },
};
const greeting = {
  sanproof: 1,
  name: 'node-chess',
  version,
  language: 'JavaScript',
  settings: PGN ? 'PGN: true' : '',
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
