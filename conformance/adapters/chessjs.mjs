// Answers the conformance suite with chess.js: npm install chess.js@1.4.0
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Chess } from "chess.js";

const strict = process.argv.includes("--strict");
const uci = (move) => move.from + move.to + (move.promotion ?? "");
const operations = {
  read: ({ fen, san }) => uci(new Chess(fen).move(san, { strict })),
  write: ({ fen, uci }) => new Chess(fen).move({
    from: uci.slice(0, 2), to: uci.slice(2, 4), promotion: uci.slice(4) || undefined,
  }).san,
  moves: ({ fen }) => new Chess(fen).moves(),
  play: ({ fen, san }) => {
    const board = new Chess(fen);
    board.move(san, { strict });
    return board.fen();
  },
  game: ({ pgn }) => {
    const board = new Chess();
    board.loadPgn(pgn, { strict });
    return { moves: board.history(), fen: board.fen() };
  },
};

function answer({ id, operation, ...question }) {
  try {
    return { id, result: operations[operation](question) };
  } catch (error) {
    return { id, rejected: String(error.message ?? error) };
  }
}

// The file package.json of the library is two folders above its code.
const code = fileURLToPath(import.meta.resolve("chess.js"));
const { version } = JSON.parse(readFileSync(code.replace(/dist[/\\].*/, "package.json")));
const say = (line) => process.stdout.write(JSON.stringify(line) + "\n");
say({
  sanproof: 1, name: "chess.js", version, language: "JavaScript",
  settings: strict ? "strict" : "", operations: Object.keys(operations),
});
for await (const line of createInterface({ input: process.stdin })) say(answer(JSON.parse(line)));
