// Adapter for @mliebelt/pgn-reader (npm): a PGN of one move is loaded, or a move added, as its
// viewer does. The moves come from the chess.js 0.12 that it depends on, the texts from its parser.
import { answerCases } from './answering.mjs';
import reader from '@mliebelt/pgn-reader';

function load(position, pgn) {
  const loaded = new reader.PgnReader({ position, pgn });
  loaded.loadPgn();
  return loaded;
}

const mainLine = (loaded) => loaded.getMoves().filter((move) => move.variationLevel === 0);

function only(fen, san) {
  const moves = mainLine(load(fen, `${san} *`));
  if (moves.length !== 1) throw new Error(`${moves.length} moves were read`);
  return moves[0];
}

const operations = {
  read({ fen, san }) {
    const { from, to, notation } = only(fen, san);
    return from + to + (notation.notation.match(/=([QRBN])/)?.[1].toLowerCase() ?? '');
  },
  write({ fen, uci }) {
    const loaded = load(fen, '*');
    const move = { from: uci.slice(0, 2), to: uci.slice(2, 4), promotion: uci[4] };
    return loaded.getMove(loaded.addMove(move, null)).notation.notation;
  },
  play: ({ fen, san }) => only(fen, san).fen,
  game({ pgn }) {
    const moves = mainLine(load('start', pgn));
    return { moves: moves.map(({ notation }) => notation.notation), fen: moves.at(-1).fen };
  },
};

await answerCases('@mliebelt/pgn-reader', operations);
