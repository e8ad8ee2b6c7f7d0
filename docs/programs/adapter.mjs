// An adapter in JavaScript: node adapter.mjs. MIT: copy it and put your library in.
import { createInterface } from 'node:readline';

const missing = () => {
  throw new Error('put your library in'); // so it rejects a text
};
const operations = {
  read: ({ fen, san }) => missing(), // a move in UCI
  write: ({ fen, uci }) => missing(), // SAN
  moves: ({ fen }) => missing(), // all legal moves in SAN, a list
  play: ({ fen, san }) => missing(), // the FEN after the move
  game: ({ pgn }) => missing(), // { moves: all in SAN, fen: the last }
};

const say = (value) => console.log(JSON.stringify(value));
const about = { sanproof: 1, name: 'my library', version: '1.0', language: 'JavaScript' };
say({ ...about, operations: Object.keys(operations) });
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  let said;
  try {
    said = { result: operations[asked.operation](asked) };
  } catch (error) {
    said = { rejected: error.message };
  }
  say({ id: asked.id, ...said });
}
