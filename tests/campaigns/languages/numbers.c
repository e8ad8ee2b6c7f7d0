/* Writes for each line of standard input its number, or -1, and the string of that number. */
#include <stdio.h>
#include <string.h>

#include "san_number.h"

int main(void) {
  char line[256], text[SAN_LONGEST + 1];
  if (san_string(-1, text) != -1 || san_string(SAN_STRINGS, text) != -1) return 1;
  while (fgets(line, sizeof line, stdin)) {
    int number;
    line[strcspn(line, "\n")] = 0;
    number = san_number(line);
    if (number >= 0 && san_string(number, text) != (int)strlen(line)) return 1;
    printf("%d %s\n", number, number < 0 ? "" : text);
  }
  return 0;
}
