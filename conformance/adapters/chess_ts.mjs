// Adapter for chess.ts and chess.mjs (npm), by their documented Chess, which is that of chess.js 0.x:
// `node chess_ts.mjs chess.mjs`, and a second word `sloppy` sets `sloppy: true`.
import { answerCases } from './answering.mjs';

const [name = 'chess.ts', setting = ''] = process.argv.slice(2);
const { Chess } = await import(name);
const sloppy = setting === 'sloppy';

function board(fen) {
  const chess = new Chess();
  if (!chess.load(fen)) throw new Error('load returned false');
  return chess;
}

function moved(chess, move) {
  const found = chess.move(move, { sloppy });
  if (!found) throw new Error('move returned null');
  return found;
}

const operations = {
  read({ fen, san }) {
    const { from, to, promotion } = moved(board(fen), san);
    return from + to + (promotion ?? '');
  },
  write({ fen, uci }) {
    const move = { from: uci.slice(0, 2), to: uci.slice(2, 4), promotion: uci[4] };
    return moved(board(fen), move).san;
  },
  moves: ({ fen }) => board(fen).moves(),
  play({ fen, san }) {
    const chess = board(fen);
    moved(chess, san);
    return chess.fen();
  },
  game({ pgn }) {
    const chess = new Chess();
    const load = chess.loadPgn ?? chess.load_pgn;
    if (!load.call(chess, pgn, { sloppy })) throw new Error('loading returned false');
    return { moves: chess.history(), fen: chess.fen() };
  },
};

await answerCases(name, operations, { settings: setting });
