// Adapter for ffish (npm), Fairy-Stockfish in WebAssembly, by its documented Board and Game.
import { answerCases } from './answering.mjs';

delete globalThis.fetch; // else it asks for its own file by the web, which Node refuses
const { default: ffish } = await import('ffish');
await new Promise((resolve) => {
  ffish.onRuntimeInitialized = resolve;
});

const board = new ffish.Board(); // one for all: making a board takes a hundred times setFen

function on(fen, use) {
  board.setFen(fen);
  return use(board);
}

function pushed(board, san) {
  if (!board.pushSan(san)) throw new Error('pushSan returned false');
  return board;
}

const operations = {
  read: ({ fen, san }) => on(fen, (board) => pushed(board, san).moveStack()),
  write: ({ fen, uci }) => on(fen, (board) => board.sanMove(uci)),
  moves: ({ fen }) => on(fen, (board) => board.legalMovesSan().split(' ').filter(Boolean)),
  play: ({ fen, san }) => on(fen, (board) => pushed(board, san).fen()),
  game({ pgn }) {
    const game = ffish.readGamePGN(pgn);
    return on(game.headers('FEN') || ffish.startingFen('chess'), (board) => {
      const moves = [];
      for (const uci of game.mainlineMoves().split(' ').filter(Boolean)) {
        moves.push(board.sanMove(uci));
        if (!board.push(uci)) throw new Error('push returned false');
      }
      return { moves, fen: board.fen() };
    });
  },
};

await answerCases('ffish', operations);
