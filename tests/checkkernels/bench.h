/* Times implementations beside a copy of the same bytes (measurements: beside a plain read), after
 * checking them. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_BENCH_H
#define IMGTOOL_TESTS_CHECKKERNELS_BENCH_H

#include "tests/checkkernels/check.h"

enum { BENCH_VALUES_MAX = 8 };

typedef struct BenchOptions {
    int32_t width, height;
    const char *format;             /* "rgb8"; NULL: one of every pixel size */
    const char *fill;               /* "random", "photo" or "constant" */
    const char *against;            /* the implementation that the others are compared with, or
                                     * "fastest": of the CPU's; NULL: they are not */
    char *values[BENCH_VALUES_MAX]; /* "sigma=2": of parameters; none: a few of each are drawn */
    int values_count;
    const char *chain;   /* "brightness value=10 | gamma value=1.4": timed instead of operations, by
                          * all formats that `format` allows; NULL: none */
    bool once;           /* run each variant once, checked and not timed: for a profiler */
    bool fail_if_slower; /* no table, but: is what is chosen the fastest (bench_choice.h)? */
} BenchOptions;

/* Prints a table; an implementation that differs from the reference is a failure in the tally. With
 * `fail_if_slower` a choice that is slower than another is one, too. */
void bench_all(const CheckOptions *options, const BenchOptions *wanted, CheckTally *tally);

#endif
