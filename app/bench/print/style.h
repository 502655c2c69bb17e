/* Colours and line breaks of text on a terminal. */
#ifndef IMGTOOL_APP_BENCH_PRINT_STYLE_H
#define IMGTOOL_APP_BENCH_PRINT_STYLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { BENCH_LINE = 80 }; /* minimum width of a line, in columns */

typedef struct BenchStyle {
    bool color; /* true: print colours, as ANSI escape sequences */
    bool utf8;
    size_t width; /* width of a line in columns, at least BENCH_LINE */
} BenchStyle;

typedef enum BenchTint {
    BENCH_PLAIN,
    BENCH_BOLD, /* bold text, for headings */
    BENCH_BEST,
    BENCH_BAD,
    BENCH_DIM
} BenchTint;

/* Print the start and the end of a colour around text. The text must not contain a newline, because
 * pagers reset the colour at the end of a line. */
void bench_tint_begin(FILE *out, BenchTint tint, const BenchStyle *style);
void bench_tint_end(FILE *out, BenchTint tint, const BenchStyle *style);

/* Prints `text` with line breaks, so that no line is longer than the style's width. The first line
 * is indented by `indent` columns, the others by `further`. A word that is longer than a line is
 * broken. `text` must be a constant or a result of bench_clean_text. */
void bench_print_wrapped(FILE *out, size_t indent, size_t further, BenchTint tint, const char *text,
                         const BenchStyle *style);

#endif
