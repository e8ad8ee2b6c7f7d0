/* The recorded answers, for adapter.c. */
#include <stdio.h>
#include <string.h>

/* Puts what was answered into texts and returns how many they are; 0 if it was rejected. */
static int look(const char *operation, const char *fen, const char *text, const char **texts) {
    static char all[1 << 22], found[1 << 16], key[1 << 18];
    if (!*all) {
        FILE *file = fopen("answers", "rb");
        if (!file || !fread(all, 1, sizeof all - 1, file)) return 0;
        fclose(file);
    }
    sprintf(key, "\x1e%s\x1f%s\x1f%s\x1d", operation, fen, text);
    char *at = strstr(all, key), *to = found;
    int count = 0;
    if (!at) return 0;
    texts[count++] = to;
    for (at += strlen(key); *at != '\x1e'; ++at, ++to) {
        *to = *at;
        if (*at == '\x1f') *to = 0, texts[count++] = to + 1;
    }
    *to = 0;
    return count;
}
