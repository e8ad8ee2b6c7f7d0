// The suite in Jest or Vitest (with globals) or, with the first line, in node --test.
// import { test } from 'node:test';
import assert from 'node:assert';
import { readFileSync } from 'node:fs';

const missing = () => {
  throw new Error('put your library in');
};
const asked = {
  read: ({ fen, san }) => missing(), // the move in UCI; throws if the library rejects it
  write: ({ fen, uci }) => missing(), // SAN
};

for (const one of JSON.parse(readFileSync('core.json', 'utf8')).cases) {
  if (one.class === 'may' || !asked[one.operation]) continue;
  test(one.id, () => {
    if (one.class === 'must not') assert.throws(() => asked[one.operation](one), one.why);
    else assert.strictEqual(asked[one.operation](one), one.expected, one.why);
  });
}
