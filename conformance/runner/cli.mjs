#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// sanproof-conformance [SUITE] [options] -- COMMAND: see README.md
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Misuse, askCommand, load, shown } from './index.mjs';

const HELP = `usage: sanproof-conformance [options] [smoke | core | FILE] -- COMMAND...
Asks the adapter that COMMAND starts the cases of a suite (core if none is named).
  --only PATTERN, --skip PATTERN   which cases, by a shell pattern of their ids; repeatable
  --known FILE                     failures that are expected: an id or a pattern a line
  --write-known FILE               write the failures of this run
  --timeout SECONDS                for a greeting or an answer (10)
  --format text|junit|github       (text)
  --limit N                        groups of failures shown (20)
  --from-game                      send the moves from the initial position, and no FEN
Exit codes: 0 all passes or is known, 1 not, 2 misuse, 4 the adapter did not start or was given up.`;

const many = { type: 'string', multiple: true, default: [] };
const options = {
  help: { type: 'boolean' },
  only: many,
  skip: many,
  known: { type: 'string' },
  'write-known': { type: 'string' },
  timeout: { type: 'string', default: '10' },
  format: { type: 'string', default: 'text' },
  limit: { type: 'string', default: '20' },
  'from-game': { type: 'boolean', default: false },
};

function number(text, name) {
  const value = Number(text);
  if (!(value > 0 && value <= 1e6)) {
    throw new Misuse(`--${name} takes a number above 0, at most 1000000, not ${text}.`);
  }
  return value;
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Misuse(`${path} cannot be read: ${error.code}.`);
  }
}

function write(path, text) {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new Misuse(`${path} cannot be written: ${error.code}.`);
  }
}

function parsed(words) {
  try {
    return parseArgs({ args: words, options, allowPositionals: true });
  } catch (error) {
    throw new Misuse(error.message);
  }
}

// The words of a command that is given as one text, as a shell takes them apart.
function split(text) {
  const found = text.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return found.map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}

async function main(words) {
  const border = words.includes('--') ? words.indexOf('--') : words.length;
  const { values, positionals } = parsed(words.slice(0, border));
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const command = words.length === border + 2 ? split(words[border + 1]) : words.slice(border + 1);
  if (!command.length || positionals.length > 1) throw new Misuse(`Write -- before COMMAND.\n${HELP}`);
  const limit = number(values.limit, 'limit');
  const show = {
    text: (report) => report.text(limit),
    junit: (report) => report.junit(),
    github: (report) => report.github(limit),
  }[values.format];
  if (!show) throw new Misuse(`--format is text, junit or github, not ${values.format}.`);
  const written = values['write-known'];
  if (written && !existsSync(dirname(resolve(written)))) {
    throw new Misuse(`${written} cannot be written: its folder does not exist.`);
  }
  const lines = values.known ? read(values.known).split(/\r?\n/) : [];
  const report = await askCommand(load(positionals[0] ?? 'core'), command, {
    ...values,
    known: lines.map((line) => line.split('#')[0].trim()).filter(Boolean),
    timeout: number(values.timeout, 'timeout'),
    fromGame: values['from-game'],
  });
  console.log(show(report));
  if (written) write(written, report.knownLines());
  if (report.ended || report.records.every(({ outcome }) => outcome === 'skipped')) return 4;
  return report.surprises.length && !values['write-known'] ? 1 : 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Misuse)) throw error;
  console.error(error.message.split('\n').map((line) => shown(line, 1000)).join('\n'));
  process.exitCode = error.exitCode;
}
