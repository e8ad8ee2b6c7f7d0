// An adapter in C: cc -std=c11 adapter.c. MIT: copy it and put your library in.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 16, MOST_TEXTS = 1024 };  // bytes of a line, moves of a game
static char line[MOST], operation[MOST], fen[MOST], text[MOST];
static const char *texts[MOST_TEXTS];

// read (text is SAN): a move in UCI; write (UCI): SAN; moves (no text): all legal moves in SAN;
// play (SAN): the FEN after the move; game (PGN, no FEN): all moves in SAN, and the last FEN.
// Puts them into `texts` and returns how many; 0 if the library rejects, with why in texts[0].
static int answer(void) {
    texts[0] = "put your library in";
    return 0;
}

// Copies the text under a name in the line of JSON, and returns whether it is there.
static int copy(const char *name, char *to) {
    char key[16];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *from = strstr(line, key), *escape;
    *to = 0;
    if (!from) return 0;
    for (from = strchr(from + strlen(key), '"') + 1; *from != '"'; ++from) {
        char code[5] = {0};
        if (*from != '\\') *to++ = *from;
        else if (*++from != 'u')
            *to++ = (escape = strchr("n\nt\tr\rb\bf\f", *from)) ? escape[1] : *from;
        else {  // to UTF-8
            unsigned unit = strtoul(memcpy(code, from + 1, 4), 0, 16);
            if (!unit) unit = 0xFFFD;  // NUL would end the text
            from += 4;
            if (unit < 0x80) *to++ = unit;
            else {
                if (unit < 0x800) *to++ = 0xC0 | unit >> 6;
                else *to++ = 0xE0 | unit >> 12, *to++ = 0x80 | (unit >> 6 & 63);
                *to++ = 0x80 | (unit & 63);
            }
        }
    }
    *to = 0;
    return 1;
}

static void quote(const char *sign) {
    putchar('"');
    for (; *sign; ++sign)
        printf((unsigned char)*sign < 128 ? "\\u%04x" : "%c", (unsigned char)*sign);
    putchar('"');
}

int main(void) {
    puts("{\"sanproof\": 1, \"name\": \"my library\", \"version\": \"1.0\", \"language\": \"C\", "
         "\"operations\": [\"read\", \"write\", \"moves\", \"play\", \"game\"]}");
    for (fflush(stdout); fgets(line, MOST, stdin); fflush(stdout)) {
        copy("operation", operation), copy("fen", fen);
        if (!copy("san", text) && !copy("uci", text)) copy("pgn", text);
        int count = answer(), is_game = operation[0] == 'g', is_list = operation[0] == 'm';
        int id = atoi(strstr(line, "\"id\":") + 5);
        printf("{\"id\": %d, \"%s\": ", id, count ? "result" : "rejected");
        if (!count) quote(texts[0]);
        else {
            printf(is_game ? "{\"moves\": [" : is_list ? "[" : "");
            for (int i = 0; i < count - is_game; ++i) printf(i ? "," : ""), quote(texts[i]);
            if (is_game) printf("], \"fen\": "), quote(texts[count - 1]);
            printf(is_game ? "}" : is_list ? "]" : "");
        }
        puts("}");
    }
}
