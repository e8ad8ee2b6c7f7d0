// SPDX-License-Identifier: MIT
// Asks a chess library the cases of the sanproof conformance suite. No dependencies.
//
//   import { ask, load } from 'sanproof-conformance'
//   const report = await ask(load('core'), { read: ({ fen, san }) => myRead(fen, san) })
//   assert.deepEqual(report.surprises, [], report.text())
//
// A function returns the answer, or a promise of it, and throws if the library rejects the case;
// it throws a Skip if the library cannot be asked this.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const ASKED = { read: 'san', write: 'uci', moves: null, play: 'san', game: 'pgn' };
const REJECTED = { must: 'failed', 'must not': 'passed', may: 'rejected' };
const ENTRIES = ['id', 'operation', 'class', 'mechanism', 'why']; // that each case has
const FAILURES = new Set(['failed', 'crashed', 'hung', 'garbled']);
const MOST_IN_A_ROW = 25; // so many breakdowns without an answer, and an adapter is given up
const MOST_BYTES = 1 << 20; // a longer line is no answer
const MOST_SHOWN = 200; // so many characters of an adapter's text are shown
const MOST_WHYS = 6; // so many reasons for skipped cases are shown

export class Misuse extends Error {
  constructor(message, exitCode = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}
export class Skip extends Error {}
class Broken extends Error {
  constructor(outcome, message) {
    super(message);
    this.outcome = outcome;
  }
}

// The suite in a file, or the one of this name that comes with the package.
export function load(name) {
  const own = new URL(`${name}.json`, import.meta.url);
  const path = ['smoke', 'core'].includes(name) && existsSync(own) ? own : name;
  let suite;
  try {
    suite = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Misuse(error.code ? `${name} cannot be read: ${error.code}.` : `${name} is not JSON.`);
  }
  if (suite?.suite !== 'sanproof conformance') throw new Misuse(`${name} is not a conformance suite.`);
  if (suite.format !== 1) throw new Misuse(`${name} has a format that this program does not know.`);
  if (!areTexts(suite.games) || !Array.isArray(suite.cases)) {
    throw new Misuse(`${name} is not a conformance suite: it lacks games or cases.`);
  }
  const wrong = suite.cases.findIndex((test) => !isCase(test));
  if (wrong >= 0) throw new Misuse(`${name} is not a conformance suite: its case ${wrong + 1} is not one.`);
  return suite;
}

function isCase(test) {
  if (!ENTRIES.every((name) => isText(test?.[name])) || !Object.hasOwn(ASKED, test.operation)) return false;
  const name = ASKED[test.operation];
  return Object.hasOwn(REJECTED, test.class) && (name === null || isText(test[name]));
}

// What a library is asked: never what is expected.
export function question(test, suite, fromGame = false) {
  const asked = { operation: test.operation };
  if (fromGame && test.fen) {
    asked.moves = suite.games[test.game].split(' ').filter(Boolean).slice(0, test.plies);
  } else if (test.fen) asked.fen = test.fen;
  const name = ASKED[test.operation];
  if (name) asked[name] = test[name];
  return asked;
}

const isText = (value) => typeof value === 'string';
const areTexts = (value) => Array.isArray(value) && value.every(isText);
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function isWellFormed(operation, value) {
  if (operation === 'moves') return areTexts(value);
  if (operation === 'game') return areTexts(value?.moves) && isText(value?.fen);
  return isText(value);
}

// The outcome of a result: passed, failed or garbled; where it may, accepted, or failed if it is another move.
export function judge(test, value) {
  const { operation, expected } = test;
  if (!isWellFormed(operation, value)) return 'garbled';
  if (test.class === 'must not') return 'failed';
  let right = expected !== undefined;
  if (right && operation === 'moves') right = same([...value].sort(), [...expected].sort());
  else if (right && operation === 'play') right = Object.values(expected).includes(value);
  else if (right && operation === 'game') {
    right = same(value.moves, expected.moves) && Object.values(expected.fen).includes(value.fen);
  } else if (right) right = value === expected;
  if (test.class === 'may') return right || expected === undefined ? 'accepted' : 'failed';
  return right ? 'passed' : 'failed';
}

// A shell pattern with *, ? and [...], as a regular expression.
function pattern(text) {
  const parts = text.match(/\*|\?|\[!?\]?[^\]]*\]|[^]/g) ?? [];
  const source = parts.map((part) => {
    if (part === '*') return '.*';
    if (part === '?') return '.';
    if (part.length > 1) return part.replaceAll('\\', '\\\\').replace(/^\[!/, '[^');
    return part.replace(/[\\^$.*+?()[\]{}|]/, '\\$&');
  });
  return new RegExp(`^${source.join('')}$`, 's');
}

const matches = (id, patterns) => patterns.some((text) => pattern(text).test(id));

function chosen(suite, only, skip) {
  const cases = suite.cases.filter(
    ({ id }) => (!only.length || matches(id, only)) && !matches(id, skip),
  );
  if (!cases.length) throw new Misuse('The patterns leave no case to ask.');
  return cases;
}

const isRequired = ({ test, outcome }) => test.class !== 'may' && outcome !== 'skipped';
const isFailure = ({ test, outcome }) =>
  outcome === 'failed' || (test.class !== 'may' && FAILURES.has(outcome));

// A text for terminals and reports: at most so long, what cannot be printed as an escape.
export function shown(text, most = MOST_SHOWN) {
  const signs = [...String(text)];
  const rest = signs.length - most;
  const cut = rest <= 0 ? signs : [...signs.slice(0, most), `... (${rest} characters more)`];
  const code = (sign) => `\\u{${sign.codePointAt(0).toString(16)}}`;
  return cut.join('').replace(/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, code);
}

// What was asked, expected and answered, and the rule.
export function sentence({ test, outcome, answer, message }) {
  const name = ASKED[test.operation];
  const asked = `${test.operation} ${name ? test[name] : ''}`.trim();
  const where = test.fen ? ` in ${test.fen}` : '';
  let expected = test.class === 'must not' ? 'a rejection' : JSON.stringify(test.expected);
  if (test.operation === 'play') expected = [...new Set(Object.values(test.expected))].join(' or ');
  const due = Array.isArray(test.expected) && Array.isArray(answer) ? test.expected : [];
  const parts = [['missing', due, answer], ['extra', due.length ? answer : [], due]]
    .map(([word, some, others]) => [word, some.filter((one) => !others.includes(one))])
    .filter(([, some]) => some.length)
    .map(([word, some]) => shown(`${word}: ${some.join(', ')}`));
  let came = answer === undefined ? 'a rejection' : shown(JSON.stringify(answer));
  if (!['failed', 'passed'].includes(outcome)) came = outcome;
  const said = message ? ` (${shown(message)})` : '';
  const what = shown(`${asked}${where}`, (test.pgn ?? '').length + 2 * MOST_SHOWN);
  const told = parts.length ? parts.join('; ') : `expected ${expected}, got ${came}${said}`;
  return `${what}: ${told}. Tested: ${test.why}`;
}

// What a case has in common with others.
function featuresOf({ mechanism, operation, colour, features }) {
  return [mechanism, `${mechanism.split('.')[0]}.*`, operation, ...(features ?? (colour ? [colour] : []))];
}

// Of those that are known each feature, and each two of them.
function common(test, known) {
  const some = featuresOf(test).filter((feature) => known.has(feature));
  const pairs = some.flatMap((one, n) => some.slice(n + 1).map((other) => `${one} and ${other}`));
  return [...some, ...pairs];
}

const count = (counts, key, by = 1) => counts.set(key, (counts.get(key) ?? 0) + by);

// Failures by one or two features that they share and that no passing case has, the largest group
// first, and in it the smallest position. What has no such features goes by operation and mechanism;
// `moves` is one group, since its mechanisms tell of the position and not of the moves that fail.
export function groups(failures, records) {
  const pieces = ({ fen = '' }) => fen.split(' ')[0].replace(/[^a-z]/gi, '').length;
  const order = (one, other) => (one < other ? -1 : Number(one > other));
  let left = [...failures].sort(
    ({ test: a }, { test: b }) =>
      pieces(a) - pieces(b) || (a.plies ?? 0) - (b.plies ?? 0) || order(a.id, b.id),
  );
  const [failed, asked] = [new Map(), new Map()];
  const known = new Set(left.flatMap(({ test }) => featuresOf(test)));
  for (const { test } of left) common(test, known).forEach((some) => count(failed, some));
  for (const record of records.filter((one) => left.length && (isFailure(one) || isRequired(one)))) {
    common(record.test, known).forEach((some) => failed.has(some) && count(asked, some));
  }
  const own = new Map([...failed].filter(([some, n]) => n > 1 && n === asked.get(some)));
  const weight = ([features, n]) => n - features.includes(' and ') / 2;
  const found = [];
  while (left.length) {
    const best = [...own].reduce((one, other) => (weight(other) > weight(one) ? other : one), ['', 0]);
    const { mechanism, operation } = left[0].test;
    const rest = operation === 'moves' ? operation : `${mechanism} and ${operation}`;
    const features = best[1] > 1 ? best[0] : rest;
    const has = ({ test }) => common(test, known).includes(features);
    const group = left.filter(has);
    left = left.filter((record) => !has(record));
    for (const { test } of group) {
      common(test, known).forEach((some) => own.has(some) && count(own, some, -1));
    }
    const of = asked.get(features);
    const number = group.length === of && of > 1 ? `all ${of}` : `${group.length} of ${of}`;
    found.push([`${group[0].test.id} (${number} cases of ${features} fail)`, group]);
  }
  return found;
}

// A sentence that counts failures by operation; empty if nothing fails.
function byOperation(records) {
  const parts = Object.keys(ASKED).flatMap((operation) => {
    const of = records.filter(({ test }) => test.operation === operation);
    const asked = of.filter((record) => isFailure(record) || isRequired(record)).length;
    return asked ? [`${operation} ${of.filter(isFailure).length} of ${asked}`] : [];
  });
  return records.some(isFailure) ? `Failed: ${parts.join(', ')}.` : '';
}

// A hint for an adapter that answers castling as the king's move to his rook.
function castlingNote(records) {
  const found = records.find(({ test, answer }) => {
    const rook = { e1g1: 'e1h1', e1c1: 'e1a1', e8g8: 'e8h8', e8c8: 'e8a8' }[test.expected];
    return test.operation === 'read' && rook && answer === rook;
  });
  if (!found) return '';
  return (
    `${found.test.id}: castling came as ${found.answer}, the king on his rook. The suite writes ` +
    `${found.test.expected}, the king's own move: does the adapter translate it?`
  );
}

const data = (text) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
const xml = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const notOffered = ({ operation }) => `It does not offer the operation ${operation}.`;

// Why cases were skipped, and how many; the usual reasons first.
function skips(records) {
  const whys = new Map();
  for (const { message } of records.filter(({ outcome }) => outcome === 'skipped')) {
    if (message) whys.set(message, (whys.get(message) ?? 0) + 1);
  }
  const usual = [...whys].sort((one, other) => other[1] - one[1]).slice(0, MOST_WHYS);
  return usual.map(([why, number]) => `Skipped ${number}, optional cases included: ${shown(why)}`);
}

export class Report {
  constructor(suite, title, records, known, ended) {
    Object.assign(this, { suite, title: shown(title), records, ended });
    this.failures = records.filter(isFailure);
    const failed = this.failures.map(({ test }) => test.id);
    const asked = records.filter(isRequired).map(({ test }) => test.id);
    const hits = (ids, text) => ids.some((id) => pattern(text).test(id));
    this.unexpected = this.failures.filter(({ test }) => !matches(test.id, known));
    this.mended = known.filter((text) => hits(asked, text) && !hits(failed, text));
    const ids = suite.cases.map(({ id }) => id);
    this.dropped = known.filter((text) => !hits(ids, text));
    this.surprises = [...this.unexpected, ...this.mended];
  }

  groups() {
    return groups(this.unexpected, this.records);
  }

  text(limit = 20) {
    const judged = this.records.filter((r) => r.test.class !== 'may');
    const count = (outcome) => judged.filter((r) => r.outcome === outcome).length;
    const [passed, skipped] = [count('passed'), count('skipped')];
    let line = `${this.title}: ${passed} passed, ${judged.length - passed - skipped} failed`;
    if (skipped) line += `, ${skipped} skipped`;
    const free = this.records.length - judged.length;
    const failed = this.failures.filter((r) => r.test.class === 'may').length;
    if (free) line += `. Another ${free} cases are optional (non-standard notation): ${failed} failed`;
    const known = this.failures.length - this.unexpected.length;
    line += known ? `. Expected failures: ${known}.` : '.';
    const lines = [line];
    const notes = [byOperation(this.records), ...skips(this.records), castlingNote(this.failures)];
    lines.push(...notes.filter(Boolean).map((note) => `  ${note}`));
    const found = this.groups();
    for (const [name, [first]] of found.slice(0, limit)) {
      lines.push(`  ${shown(name)}`, `      ${sentence(first)}`);
    }
    const more = found.length - limit;
    if (more > 0) lines.push(`  ... and ${more} more groups of failures.`);
    lines.push(...this.mended.map((text) => `  ${shown(text)} passes: it is no expected failure any more.`));
    lines.push(...this.dropped.map((text) => `  ${shown(text)} is no case of this version; it is left out.`));
    if (this.ended) lines.push(`  The run is incomplete: the adapter ${this.ended}`);
    return lines.join('\n');
  }

  junit() {
    const unexpected = new Set(this.unexpected);
    const cases = this.records.map((record) => {
      const { mechanism, id } = record.test;
      const head = `<testcase classname="${xml(mechanism)}" name="${xml(id)}"`;
      if (unexpected.has(record)) return `${head}><failure>${xml(sentence(record))}</failure></testcase>`;
      return record.outcome === 'skipped' || isFailure(record) ? `${head}><skipped/></testcase>` : `${head}/>`;
    });
    for (const text of this.mended) {
      const said = 'it passes: it is no expected failure any more';
      cases.push(`<testcase classname="known" name="${xml(shown(text))}"><failure>${said}</failure></testcase>`);
    }
    if (this.ended) {
      cases.push(`<testcase classname="adapter" name="ends"><error>${xml(this.ended)}</error></testcase>`);
    }
    const head = `<testsuite name="${xml(this.title)}" tests="${cases.length}" failures="${this.surprises.length}">`;
    return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...cases, '</testsuite>'].join('\n');
  }

  github(limit = 20) {
    const lines = this.groups()
      .slice(0, limit)
      .map(([name, [first]]) => `::error title=${property(shown(name))}::${data(sentence(first))}`);
    const mended = this.mended.map((text) => data(shown(text)));
    lines.push(...mended.map((text) => `::error::${text} passes: it is no expected failure any more.`));
    if (this.ended) lines.push(`::error::It ${data(this.ended)}`);
    return [...lines, this.text(0).split('\n')[0]].join('\n');
  }

  knownLines() {
    const ids = this.failures.map(({ test }) => test.id).sort();
    return [`# ${this.title}, suite ${this.suite.version}: an id or a pattern a line.`, ...ids, ''].join('\n');
  }
}

async function report(suite, title, answer, { known = [], only = [], skip = [], fromGame = false }) {
  const records = [];
  let ended = '';
  let troubles = 0;
  for (const test of chosen(suite, only, skip)) {
    if (ended || (fromGame && test.fen && test.game === undefined)) {
      records.push({ test, outcome: 'skipped' });
      continue;
    }
    try {
      const said = await answer(question(test, suite, fromGame));
      if ('skip' in said) records.push({ test, outcome: 'skipped', message: said.skip });
      else if ('rejected' in said) {
        records.push({ test, outcome: REJECTED[test.class], message: said.rejected });
      } else records.push({ test, outcome: judge(test, said.result), answer: said.result });
      troubles = 0;
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      records.push({ test, outcome: error.outcome, message: error.message });
      troubles += 1;
      if (troubles === MOST_IN_A_ROW) ended = `broke down ${troubles} times in a row; the last time it ${error.message}.`;
    }
  }
  return new Report(suite, title, records, known, ended);
}

// Ask a library in this process: a function for each operation that it can be asked.
export function ask(suite, operations, options = {}) {
  const answer = async (asked) => {
    if (!(asked.operation in operations)) return { skip: notOffered(asked) };
    try {
      return { result: await operations[asked.operation](asked) };
    } catch (error) {
      const said = String(error?.message ?? error);
      return error instanceof Skip ? { skip: said } : { rejected: said };
    }
  };
  return report(suite, options.title ?? 'the library', answer, options);
}

// The lines of a stream, read when they are asked for. Too long a one is null, and the last.
async function* linesOf(stream) {
  let parts = [];
  let length = 0;
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)]).toString();
      parts = [];
      length = 0;
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > MOST_BYTES) {
      yield null;
      return;
    }
  }
}

// An adapter in a process of its own, which is started again when it breaks down.
class Adapter {
  constructor(command, seconds) {
    Object.assign(this, { command, seconds, number: 0, process: null });
  }

  async start() {
    const [program, ...rest] = this.command;
    const detached = process.platform !== 'win32'; // a group of its own, which ends as one
    const child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'inherit'], detached });
    this.process = child;
    child.stdin.on('error', () => {}); // its end is seen on its output
    const lines = linesOf(child.stdout);
    const next = () => lines.next().catch(() => ({ done: true })); // its output was closed
    const failed = new Promise((_, reject) => {
      child.on('error', (error) => reject(new Broken('crashed', `cannot be started: ${error.code}`)));
    });
    failed.catch(() => {});
    this.line = async () => {
      let timer;
      const late = new Promise((_, reject) => {
        const error = new Broken('hung', `did not answer within ${this.seconds} s`);
        timer = setTimeout(reject, this.seconds * 1000, error);
      });
      const { done, value } = await Promise.race([next(), failed, late]).finally(() => clearTimeout(timer));
      if (done) throw new Broken('crashed', this.greeting ? 'ended' : 'ended before it printed its first line');
      if (value === null) throw new Broken('garbled', `wrote a line of more than ${MOST_BYTES} bytes`);
      try {
        const said = JSON.parse(value);
        if (said && typeof said === 'object') return said;
      } catch {} // what is no JSON is quoted
      throw new Broken('garbled', `wrote ${JSON.stringify(value.slice(0, 60))}`);
    };
    const greeting = await this.line();
    if (greeting.sanproof !== 1 || !areTexts(greeting.operations)) {
      throw new Broken('garbled', 'wrote no greeting of protocol 1');
    }
    this.greeting ??= greeting;
  }

  async answer(asked) {
    if (!this.greeting.operations.includes(asked.operation)) return { skip: notOffered(asked) };
    try {
      if (!this.process) await this.start();
      this.number += 1;
      this.process.stdin.write(`${JSON.stringify({ id: this.number, ...asked })}\n`);
      const said = await this.line();
      const given = ['result', 'rejected', 'skip'].filter((name) => name in said);
      if (said.id !== this.number || given.length !== 1) {
        throw new Broken('garbled', `answered ${JSON.stringify(said).slice(0, 60)}`);
      }
      return said;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close() {
    const child = this.process;
    this.process = null;
    if (!child?.pid) return;
    try {
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
    } catch {} // it has ended
  }
}

// Ask the adapter that a command starts.
export async function askCommand(suite, command, options = {}) {
  chosen(suite, options.only ?? [], options.skip ?? []); // a wrong pattern is said first
  const adapter = new Adapter(command, options.timeout ?? 10);
  try {
    await adapter.start();
    const { name = 'the library', version = '', from } = adapter.greeting;
    const fromGame = options.fromGame || from === 'game';
    const title = `${name} ${version}`.trim();
    return await report(suite, title, (asked) => adapter.answer(asked), { ...options, fromGame });
  } catch (error) {
    throw error instanceof Broken ? new Misuse(`The adapter ${error.message}.`, 4) : error;
  } finally {
    adapter.close();
  }
}
