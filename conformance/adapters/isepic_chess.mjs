// Adapter for isepic-chess (npm), by its documented Ic and boards.
import { answerCases } from './answering.mjs';
import isepic from 'isepic-chess';

const { Ic } = isepic;
const SQUARES = [...'abcdefgh'].flatMap((file) => [...'12345678'].map((rank) => file + rank));

function board(from) {
  const made = Ic.initBoard({ ...from, isHidden: true, validOrBreak: true });
  if (!made) throw new Error('initBoard returned null');
  return made;
}

function moved(fen, text) {
  const found = board({ fen }).playMove(text);
  if (!found) throw new Error('playMove returned null');
  return found;
}

const operations = {
  read: ({ fen, san }) => moved(fen, san).uci,
  write: ({ fen, uci }) => moved(fen, uci).san,
  moves({ fen }) {
    const position = board({ fen });
    return SQUARES.flatMap((square) => position.legalSanMoves(square));
  },
  play: ({ fen, san }) => moved(fen, san).fen,
  game({ pgn }) {
    const { moveList, fen } = board({ pgn });
    return { moves: moveList.slice(1).map((move) => move.san), fen }; // the first is no move
  },
};

await answerCases('isepic-chess', operations);
