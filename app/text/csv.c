#include "app/text/csv.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "app/text/text.h"

/* The stream for which csv_begin was called last, and whether it is a terminal. */
static struct {
    FILE *out;
    bool is_terminal;
} asked;

void csv_begin(FILE *out)
{
    asked.out = out;
    asked.is_terminal = isatty(fileno(out));
}

void csv_text(FILE *out, const char *text)
{
    if (asked.out == out ? asked.is_terminal : isatty(fileno(out))) {
        text_clean(out, text);
        return;
    }
    if (text[strcspn(text, ",\"\r\n")] == '\0') {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}
