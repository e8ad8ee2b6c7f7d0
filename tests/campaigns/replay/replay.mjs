// Replays games with chess.js: node replay.mjs < games.pgn
//
// Writes for each game a line of JSON: the moves in the library's own SAN, as far as it plays them,
// and the last position. The library reads the PGN.

import { createInterface } from "node:readline";

/** The texts of the games, for a library that reads one at a time. */
async function* split(input) {
  let text = "";
  for await (const line of createInterface({ input })) {
    if (line.startsWith("[Event ") && text) {
      yield text;
      text = "";
    }
    text += `${line}\n`;
  }
  if (text) yield text;
}

async function replayWithChessJs(input, answer) {
  const { Chess } = await import("chess.js");
  for await (const text of split(input)) {
    const chess = new Chess();
    try {
      chess.loadPgn(text, { strict: true });
    } catch {
      // what was played is told, and is too little
    }
    answer(chess.history(), chess.fen());
  }
}

let number = 0;
await replayWithChessJs(process.stdin, (sans, fen) => {
  number += 1;
  process.stdout.write(`${JSON.stringify({ number, sans, fen })}\n`);
});
