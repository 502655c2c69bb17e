/* Colours and wrapped lines in what a benchmark prints. */
#ifndef IMGTOOL_APP_BENCH_PRINT_STYLE_H
#define IMGTOOL_APP_BENCH_PRINT_STYLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { BENCH_LINE = 80 }; /* lines are not narrower than that */

typedef struct BenchStyle {
    bool color; /* by ANSI escape sequences */
    bool utf8;
    size_t width; /* columns of a line; BENCH_LINE or more */
} BenchStyle;

typedef enum BenchTint {
    BENCH_PLAIN,
    BENCH_BOLD, /* headings */
    BENCH_BEST,
    BENCH_BAD,
    BENCH_DIM
} BenchTint;

/* Around the text of one line: pagers forget a colour at its end. */
void bench_tint_begin(FILE *out, BenchTint tint, const BenchStyle *style);
void bench_tint_end(FILE *out, BenchTint tint, const BenchStyle *style);

/* Words in lines of the style's width, the first one indented by `indent`, the others by
 * `further`; a word that is longer than a line is broken. `text` is clean. */
void bench_print_wrapped(FILE *out, size_t indent, size_t further, BenchTint tint, const char *text,
                         const BenchStyle *style);

#endif
