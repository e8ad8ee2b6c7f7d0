// The $strings SAN strings that can occur in a legal chess game$kept, and their numbers.
//
//   numberOf("Nf3")    the string's number, 0 to STRINGS - 1; undefined for any other text
//   stringOf(number)   the string of a number; undefined if there is no such number
//
// A number is the string's place among these: shorter strings first, then by character.
// It is $id. No dictionary is kept, but the minimal
// automaton, of $states states. Written by `sanproof export --what lookup`; public domain (CC0 1.0).

export const STRINGS = $strings;
const LONGEST = $longest;

// For each state the characters that may follow; '.' if a string may end; then a blank.
const CHARACTERS = [
$characters
].join("").slice(0, -1).split(" ");

// Where each of them leads: a state in two digits to the base 64.
const TARGETS = [
$targets
].join("");

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/";
let at = 0;
const target = () => 64 * DIGITS.indexOf(TARGETS[at++]) + DIGITS.indexOf(TARGETS[at++]);
const STATES = CHARACTERS.map((text) => ({
  steps: [...text].filter((step) => step !== ".").map((step) => [step, target()]),
  counts: [text.includes(".") ? 1 : 0], // strings from here, by length
}));
for (let length = 1; length <= LONGEST; length++)
  for (const { steps, counts } of STATES)
    counts.push(steps.reduce((sum, [, next]) => sum + STATES[next].counts[length - 1], 0));

export function numberOf(text) {
  if (typeof text !== "string" || text.length > LONGEST) return undefined;
  let number = 0, state = STATES[0];
  for (let length = 0; length < text.length; length++) number += state.counts[length];
  for (let left = text.length - 1, i = 0; left >= 0; left--, i++) {
    const place = state.steps.findIndex(([step]) => step === text[i]);
    if (place < 0) return undefined;
    for (const [, next] of state.steps.slice(0, place)) number += STATES[next].counts[left];
    state = STATES[state.steps[place][1]];
  }
  return state.counts[0] ? number : undefined;
}

export function stringOf(number) {
  if (!Number.isInteger(number) || number < 0 || number >= STRINGS) return undefined;
  let length = 0, state = STATES[0], text = "";
  for (; number >= state.counts[length]; length++) number -= state.counts[length];
  for (let left = length - 1; left >= 0; left--)
    for (const [step, next] of state.steps) {
      if (number < STATES[next].counts[left]) {
        text += step;
        state = STATES[next];
        break;
      }
      number -= STATES[next].counts[left];
    }
  return text;
}
