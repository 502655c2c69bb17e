#include "app/bench/print/style.h"

#include <string.h>

static const char *const codes[] = {[BENCH_PLAIN] = "",
                                    [BENCH_BOLD] = "\033[1m",
                                    [BENCH_BEST] = "\033[1;32m",
                                    [BENCH_BAD] = "\033[31m",
                                    [BENCH_DIM] = "\033[2m"};

void bench_tint_begin(FILE *out, BenchTint tint, const BenchStyle *style)
{
    if (style->color)
        fputs(codes[tint], out);
}

void bench_tint_end(FILE *out, BenchTint tint, const BenchStyle *style)
{
    if (style->color && tint != BENCH_PLAIN)
        fputs("\033[0m", out);
}

/* Returns the number of bytes at the start of `text` for one line of at most `room` characters. The
 * line ends between two words if possible. */
static size_t line_length(const char *text, size_t room)
{
    size_t at = 0, width = 0, end_of_word = 0;
    while (text[at] != '\0') {
        if (text[at] == ' ')
            end_of_word = at;
        if (width == room)
            return end_of_word > 0 ? end_of_word : at;
        do
            at++;
        while (((unsigned char)text[at] & 0xC0) == 0x80);
        width++;
    }
    return at;
}

void bench_print_wrapped(FILE *out, size_t indent, size_t further, BenchTint tint, const char *text,
                         const BenchStyle *style)
{
    for (text += strspn(text, " "); *text != '\0'; text += strspn(text, " ")) {
        size_t length = line_length(text, style->width - indent), printed = length;
        while (text[printed - 1] == ' ')
            printed--;
        fprintf(out, "%*s", (int)indent, "");
        bench_tint_begin(out, tint, style);
        fwrite(text, 1, printed, out);
        bench_tint_end(out, tint, style);
        fputc('\n', out);
        text += length;
        indent = further;
    }
}
