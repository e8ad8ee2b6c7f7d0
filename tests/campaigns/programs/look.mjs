import { readFileSync } from 'node:fs';

const all = readFileSync('answers', 'utf8');

/** Returns what was recorded; throws if it was rejected. */
export const look = (operation, fen, text) => {
  const key = `\x1e${operation}\x1f${fen}\x1f${text}\x1d`;
  const at = all.indexOf(key);
  if (at < 0) throw new Error('rejected');
  return all.slice(at + key.length, all.indexOf('\x1e', at + key.length)).split('\x1f');
};
