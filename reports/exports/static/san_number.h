/* The $strings SAN strings that can occur in a legal chess game$kept, and their numbers.
 *
 *   san_number("Nf3")           the string's number, 0 to SAN_STRINGS - 1; -1 for any other text
 *   san_string(number, text)    writes the string of a number into char text[SAN_LONGEST + 1];
 *                               returns its length, or -1 if there is no such number
 *
 * A number is the string's place among these: shorter strings first, then by character.
 * It is $id. No dictionary is kept, but the minimal
 * automaton, of $states states. The first call fills the tables: with threads, call san_start()
 * before they begin. Written by `sanproof export --what lookup`; public domain (CC0 1.0). */
#ifndef SAN_NUMBER_H
#define SAN_NUMBER_H

enum { SAN_STRINGS = $strings, SAN_LONGEST = $longest, SAN_STATES = $states, SAN_STEPS = $steps };

/* For each state the characters that may follow; '.' if a string may end; then a blank. */
static const char *const san_characters[] = {
$characters
};

/* Where each of them leads: a state in two digits to the base 64. */
static const char *const san_targets[] = {
$targets
};

static unsigned short san_first[SAN_STATES + 1], san_target[SAN_STEPS];
static unsigned short san_count[SAN_STATES][SAN_LONGEST + 1]; /* strings from here, by length */
static char san_step[SAN_STEPS];

static inline int san_digit(int at) {
  char c = san_targets[at / $width][at % $width];
  return c >= 'a' ? c - 'a' + 36 : c >= 'A' ? c - 'A' + 10 : c >= '0' ? c - '0' : c == '+' ? 62 : 63;
}

static inline void san_start(void) {
  int state = 0, step = 0, length, at;
  for (at = 0; state < SAN_STATES; at++) {
    char c = san_characters[at / $width][at % $width];
    if (c == ' ') san_first[++state] = (unsigned short)step;
    else if (c == '.') san_count[state][0] = 1;
    else {
      san_target[step] = (unsigned short)(64 * san_digit(2 * step) + san_digit(2 * step + 1));
      san_step[step++] = c;
    }
  }
  for (length = 1; length <= SAN_LONGEST; length++)
    for (state = 0; state < SAN_STATES; state++) {
      int sum = 0;
      for (step = san_first[state]; step < san_first[state + 1]; step++)
        sum += san_count[san_target[step]][length - 1];
      san_count[state][length] = (unsigned short)sum;
    }
}

static inline int san_number(const char *text) {
  int length = 0, number = 0, state = 0, left;
  if (!san_first[SAN_STATES]) san_start();
  while (length <= SAN_LONGEST && text[length]) length++;
  if (length > SAN_LONGEST) return -1;
  for (left = 0; left < length; left++) number += san_count[0][left];
  for (left = length; left--; text++) {
    int step = san_first[state], end = san_first[state + 1];
    for (; step < end && san_step[step] != *text; step++) number += san_count[san_target[step]][left];
    if (step == end) return -1;
    state = san_target[step];
  }
  return san_count[state][0] ? number : -1;
}

static inline int san_string(int number, char *text) {
  int length = 0, state = 0, left;
  if (!san_first[SAN_STATES]) san_start();
  if (number < 0 || number >= SAN_STRINGS) return -1;
  for (; number >= san_count[0][length]; length++) number -= san_count[0][length];
  for (left = length; left--; text++) {
    int step = san_first[state];
    for (; number >= san_count[san_target[step]][left]; step++)
      number -= san_count[san_target[step]][left];
    *text = san_step[step];
    state = san_target[step];
  }
  *text = 0;
  return length;
}

#endif
