// Adapter for chess.js 0.x (npm), the version before it was rewritten, by its documented Chess;
// `node chessjs_0.mjs sloppy` sets `sloppy: true`.
import { answerCases } from './answering.mjs';
import { Chess } from 'chess.js';

const sloppy = process.argv[2] === 'sloppy';

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
    if (!chess.load_pgn(pgn, { sloppy })) throw new Error('load_pgn returned false');
    return { moves: chess.history(), fen: chess.fen() };
  },
};

await answerCases('chess.js', operations, { settings: sloppy ? 'sloppy' : '' });
