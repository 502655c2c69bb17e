/* Colours and line wrapping of a benchmark's text output. */
#ifndef IMGTOOL_APP_BENCH_PRINT_STYLE_H
#define IMGTOOL_APP_BENCH_PRINT_STYLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { BENCH_LINE = 80 }; /* minimum width of lines */

typedef struct BenchStyle {
    bool color; /* use ANSI escape sequences */
    bool utf8;
    size_t width; /* columns of a line; at least BENCH_LINE */
} BenchStyle;

typedef enum BenchTint {
    BENCH_PLAIN,
    BENCH_BOLD, /* headings */
    BENCH_BEST,
    BENCH_BAD,
    BENCH_DIM
} BenchTint;

/* Surround the text of one line: pagers reset a colour at its end. */
void bench_tint_begin(FILE *out, BenchTint tint, const BenchStyle *style);
void bench_tint_end(FILE *out, BenchTint tint, const BenchStyle *style);

/* Prints words in lines of the style's width. The first line is indented by `indent`, others by
 * `further`. A word that is longer than a line is broken. `text` must be clean. */
void bench_print_wrapped(FILE *out, size_t indent, size_t further, BenchTint tint, const char *text,
                         const BenchStyle *style);

#endif
