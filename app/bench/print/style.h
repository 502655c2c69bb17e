/* Colours and line wrapping of the text output. */
#ifndef IMGTOOL_APP_BENCH_PRINT_STYLE_H
#define IMGTOOL_APP_BENCH_PRINT_STYLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { BENCH_LINE = 80 }; /* minimum width of lines */

typedef struct BenchStyle {
    bool color; /* true: use ANSI escape sequences */
    bool utf8;
    size_t width; /* width of a line in columns, at least BENCH_LINE */
} BenchStyle;

typedef enum BenchTint {
    BENCH_PLAIN,
    BENCH_BOLD, /* for headings */
    BENCH_BEST,
    BENCH_BAD,
    BENCH_DIM
} BenchTint;

/* Surround text in a colour. The text must be on one line, because pagers reset a colour at the end
 * of a line. */
void bench_tint_begin(FILE *out, BenchTint tint, const BenchStyle *style);
void bench_tint_end(FILE *out, BenchTint tint, const BenchStyle *style);

/* Prints words in lines of the style's width. The first line is indented by `indent` columns,
 * further lines by `further`. A word that is longer than a line is broken. `text` must be clean: a
 * result of bench_clean_text or a constant. */
void bench_print_wrapped(FILE *out, size_t indent, size_t further, BenchTint tint, const char *text,
                         const BenchStyle *style);

#endif
