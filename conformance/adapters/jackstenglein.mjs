// Adapter for @jackstenglein/chess (npm), by its documented Chess;
// `node jackstenglein.mjs disableNullMoves` sets `disableNullMoves: true`.
import { answerCases } from './answering.mjs';
import { Chess } from '@jackstenglein/chess';

const disableNullMoves = process.argv[2] === 'disableNullMoves';

function moved(chess, move) {
  const found = chess.move(move);
  if (!found) throw new Error('move returned null');
  return found;
}

const operations = {
  read({ fen, san }) {
    const { from, to, promotion } = moved(new Chess({ fen, disableNullMoves }), san);
    return from + to + (promotion ?? '');
  },
  write({ fen, uci }) {
    const move = { from: uci.slice(0, 2), to: uci.slice(2, 4), promotion: uci[4] };
    return moved(new Chess({ fen, disableNullMoves }), move).san;
  },
  moves: ({ fen }) => new Chess({ fen, disableNullMoves }).moves().map(({ san }) => san),
  play({ fen, san }) {
    const chess = new Chess({ fen, disableNullMoves });
    moved(chess, san);
    return chess.fen();
  },
  game({ pgn }) {
    const chess = new Chess({ pgn, disableNullMoves });
    chess.seek(chess.history().at(-1) ?? null);
    return { moves: chess.history().map(({ san }) => san), fen: chess.fen() };
  },
};

const settings = disableNullMoves ? 'disableNullMoves' : '';
await answerCases('@jackstenglein/chess', operations, { settings });
