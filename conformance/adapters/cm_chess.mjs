// Adapter for cm-chess (npm), by its documented Chess; it is sloppy by default, and
// `node cm_chess.mjs strict` sets `sloppy: false`.
import { answerCases } from './answering.mjs';
import { Chess } from 'cm-chess/src/Chess.js';

const sloppy = process.argv[2] !== 'strict';

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
  moves: ({ fen }) => new Chess({ fen, sloppy }).moves(),
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

await answerCases('cm-chess', operations, { settings: sloppy ? '' : 'sloppy: false' });
