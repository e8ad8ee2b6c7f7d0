// What the adapters of this folder share: greets, and answers the cases of standard input. An
// adapter that stands alone, as one of yours will, is chessjs.mjs.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

export async function answerCases(name, operations, { folder = name, settings = '' } = {}) {
  const about = new URL(`node_modules/${folder}/package.json`, import.meta.url);
  const { version } = JSON.parse(readFileSync(about));
  const greeting = { sanproof: 1, name, version, language: 'JavaScript', settings };
  console.log(JSON.stringify({ ...greeting, operations: Object.keys(operations) }));
  for await (const line of createInterface({ input: process.stdin })) {
    const asked = JSON.parse(line);
    let answer;
    try {
      answer = { result: operations[asked.operation](asked) };
    } catch (error) {
      answer = { rejected: String(error?.message ?? error) }; // it did not take the move
    }
    console.log(JSON.stringify({ id: asked.id, ...answer }));
  }
}
