// Adapter for chessops (npm), by its documented functions.
import { answerCases } from './answering.mjs';
import { castlingSide, Chess } from 'chessops/chess';
import { makeFen, parseFen } from 'chessops/fen';
import { parsePgn, startingPosition } from 'chessops/pgn';
import { makeSan, makeSanAndPlay, parseSan } from 'chessops/san';
import { kingCastlesTo, makeUci, parseUci } from 'chessops/util';

const position = (fen) => Chess.fromSetup(parseFen(fen).unwrap()).unwrap();

function parse(found, san) {
  const move = parseSan(found, san);
  if (!move) throw new Error('parseSan returned undefined');
  return move;
}

// The library notes castling as the king's move to its rook; `kingCastlesTo` names the other way.
function uci(found, move) {
  const side = castlingSide(found, move);
  return makeUci(side ? { from: move.from, to: kingCastlesTo(found.turn, side) } : move);
}

function* legal(found) {
  for (const [from, destinations] of found.allDests()) {
    for (const to of destinations) {
      const promotes = found.board.getRole(from) === 'pawn' && (to < 8 || to >= 56);
      for (const promotion of promotes ? ['queen', 'rook', 'bishop', 'knight'] : [undefined]) {
        yield { from, to, promotion };
      }
    }
  }
}

const operations = {
  read({ fen, san }) {
    const found = position(fen);
    return uci(found, parse(found, san));
  },
  write: ({ fen, uci }) => makeSan(position(fen), parseUci(uci)),
  moves({ fen }) {
    const found = position(fen);
    return [...legal(found)].map((move) => makeSan(found, move));
  },
  play({ fen, san }) {
    const found = position(fen);
    found.play(parse(found, san));
    return makeFen(found.toSetup());
  },
  game({ pgn }) {
    const [record] = parsePgn(pgn);
    const found = startingPosition(record.headers).unwrap();
    const moves = [...record.moves.mainline()].map((node) => {
      return makeSanAndPlay(found, parse(found, node.san));
    });
    return { moves, fen: makeFen(found.toSetup()) };
  },
};

await answerCases('chessops', operations);
