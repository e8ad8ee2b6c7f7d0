// Adapter for kokopu (npm), by its documented Position and PGN reader; `node kokopu.mjs strict`
// takes only perfectly formatted SAN, as the library's flag has it.
import { answerCases } from './answering.mjs';
import { pgnRead, Position } from 'kokopu';

const strict = process.argv[2] === 'strict';

const operations = {
  read({ fen, san }) {
    const move = new Position(fen).notation(san, strict);
    return move.from() + move.to() + (move.isPromotion() ? move.promotion() : '');
  },
  write({ fen, uci }) {
    const position = new Position(fen);
    const made = position.isMoveLegal(uci.slice(0, 2), uci.slice(2, 4));
    if (!made) throw new Error('isMoveLegal returned false');
    return position.notation(made.status === 'promotion' ? made(uci[4]) : made());
  },
  moves({ fen }) {
    const position = new Position(fen);
    return position.moves().map((move) => position.notation(move));
  },
  play({ fen, san }) {
    new Position(fen).notation(san, strict); // throws: the PGN reader has no strict mode
    return pgnRead(`[SetUp "1"]\n[FEN "${fen}"]\n[Result "*"]\n\n${san} *\n`, 0).finalFEN();
  },
  game({ pgn }) {
    const game = pgnRead(pgn, 0);
    const moves = game.mainVariation().nodes().map((node) => node.notation());
    return { moves, fen: game.finalFEN() };
  },
};

await answerCases('kokopu', operations, { settings: strict ? 'strict' : '' });
