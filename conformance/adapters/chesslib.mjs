// Adapter for chesslib (npm), by its documented FEN, Position and Algebraic.
import { answerCases } from './answering.mjs';
import chesslib from 'chesslib';

const { Algebraic, FEN } = chesslib;
const square = ({ x, y }) => 'abcdefgh'[x] + (8 - y);
const LETTERS = { Queen: 'q', Rook: 'r', Bishop: 'b', Knight: 'n' };

const operations = {
  read({ fen, san }) {
    const position = FEN.parse(fen);
    position.move(san); // throws; what follows does not ask whether the move is legal
    const { source, target, promotionPrize } = Algebraic.parse(san, position);
    const promoted = promotionPrize ? LETTERS[promotionPrize.constructor.name] : '';
    return square(source) + square(target) + promoted;
  },
  play: ({ fen, san }) => FEN.stringify(FEN.parse(fen).move(san)),
};

await answerCases('chesslib', operations);
