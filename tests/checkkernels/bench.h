/* Checks implementations, then compares their times with a copy of the same bytes, or with a plain
 * read for measurements. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_BENCH_H
#define IMGTOOL_TESTS_CHECKKERNELS_BENCH_H

#include "tests/checkkernels/check.h"

enum { BENCH_VALUES_MAX = 8 };

typedef struct BenchOptions {
    int32_t width, height;
    /* a name such as "rgb8"; NULL: one format for every pixel size */
    const char *format;
    const char *fill; /* content of the source picture: "random", "photo" or "constant" */
    /* implementation that the others are compared with, or "fastest" for the fastest on the CPU;
     * NULL: no comparison */
    const char *against;
    /* parameters such as "sigma=2"; none: a few random values of each parameter */
    char *values[BENCH_VALUES_MAX];
    int values_count;
    /* a chain such as "brightness value=10 | gamma value=1.4" that is timed instead of operations,
     * in all formats that `format` allows; NULL: none */
    const char *chain;
    bool once; /* run each variant once, checked and not timed, for a profiler */
    /* print no table, but check that the automatic choice is the fastest (bench_work.h) */
    bool fail_if_slower;
} BenchOptions;

/* Prints a table of times. An implementation that differs from the reference counts as a failure in
 * the tally. With `fail_if_slower`, so does an automatic choice that is slower than another
 * variant. */
void bench_all(const CheckOptions *options, const BenchOptions *wanted, CheckTally *tally);

#endif
