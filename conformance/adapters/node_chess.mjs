// Adapter for chess (npm), node-chess, by its documented client; `node node_chess.mjs PGN` sets
// `PGN: true`. The client shows no FEN with all six fields, so it is not asked for one.
import { answerCases } from './answering.mjs';
import chess from 'chess';

const PGN = process.argv[2] === 'PGN';
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
  moves: ({ fen }) => Object.keys(chess.fromFEN(fen, { PGN }).getStatus().notatedMoves),
};

await answerCases('node-chess', operations, { folder: 'chess', settings: PGN ? 'PGN: true' : '' });
