// Adapter for chess-rules (npm), by its documented functions of positions.
import { answerCases } from './answering.mjs';
import rules from 'chess-rules';

const square = (number) => 'abcdefgh'[number % 8] + (Math.floor(number / 8) + 1);
const number = (name) => (name.charCodeAt(1) - 49) * 8 + name.charCodeAt(0) - 97;

function read(fen, san) {
  const move = rules.pgnToMove(rules.fenToPosition(fen), san);
  if (!move) throw new Error('pgnToMove returned null');
  return move;
}

const operations = {
  read({ fen, san }) {
    const { src, dst, promotionType } = read(fen, san);
    return square(src) + square(dst) + (promotionType ?? '').toLowerCase();
  },
  write({ fen, uci }) {
    const move = { src: number(uci), dst: number(uci.slice(2)) };
    if (uci[4]) move.promotionType = uci[4].toUpperCase();
    return rules.moveToPgn(rules.fenToPosition(fen), move);
  },
  play: ({ fen, san }) =>
    rules.positionToFen(rules.applyMove(rules.fenToPosition(fen), read(fen, san))),
};

await answerCases('chess-rules', operations);
