// Replays games with a chess library: node replay.mjs chess.js|chessops < games.pgn
//
// Writes for each game a line of JSON: the tags Shows and ShownAtPly, the moves in the library's own
// SAN, the last position, and why it plays no further, if it does not. The library reads the PGN.

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
    let error = null;
    try {
      chess.loadPgn(text, { strict: true });
    } catch (caught) {
      error = caught.message;
    }
    answer(chess.getHeaders(), chess.history(), chess.fen(), error);
  }
}

async function replayWithChessops(input, answer) {
  const { PgnParser, startingPosition } = await import("chessops/pgn");
  const { makeSanAndPlay, parseSan } = await import("chessops/san");
  const { makeFen } = await import("chessops/fen");
  const parser = new PgnParser((game, failure) => {
    const position = startingPosition(game.headers).unwrap();
    const sans = [];
    let error = failure?.message ?? null;
    for (const { san } of game.moves.mainline()) {
      const move = parseSan(position, san);
      if (!move) {
        error = `${san} is illegal or ambiguous`;
        break;
      }
      sans.push(makeSanAndPlay(position, move));
    }
    answer(Object.fromEntries(game.headers), sans, makeFen(position.toSetup()), error);
  });
  input.setEncoding("utf-8");
  for await (const chunk of input) parser.parse(chunk, { stream: true });
  parser.parse("");
}

const replay = { "chess.js": replayWithChessJs, chessops: replayWithChessops }[process.argv[2]];
let number = 0;
await replay(process.stdin, (tags, sans, fen, error) => {
  number += 1;
  const { Shows: shows = null, ShownAtPly: shown_at = null } = tags;
  process.stdout.write(`${JSON.stringify({ number, shows, shown_at, sans, fen, error })}\n`);
});
