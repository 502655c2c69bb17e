/* Checks implementations, and compares their times with that of a copy of the same number of bytes.
 * Operations that only measure are compared with a plain read. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_BENCH_H
#define IMGTOOL_TESTS_CHECKKERNELS_BENCH_H

#include "tests/checkkernels/check.h"

enum { BENCH_VALUES_MAX = 8 };

typedef struct BenchOptions {
    int32_t width, height;
    /* a name such as "rgb8"; NULL selects one format for every pixel size */
    const char *format;
    const char *fill; /* content of the source picture: "random", "photo" or "constant" */
    /* implementation that the others are compared with, or "fastest" for the fastest one on the
     * CPU; NULL for no comparison */
    const char *against;
    /* settings such as "sigma=2"; if there are none, a few random values of each parameter are
     * used */
    char *values[BENCH_VALUES_MAX];
    int values_count;
    /* a chain such as "brightness value=10 | gamma value=1.4", which is timed instead of
     * operations, in all formats that `format` allows; NULL for none */
    const char *chain;
    /* for a profiler: each variant runs once, and is checked but not timed */
    bool once;
    /* no table is printed; instead the automatic choice must be the fastest variant
     * (bench_work.h) */
    bool fail_if_slower;
} BenchOptions;

/* Prints a table of times. An implementation that differs from the reference counts as a failure in
 * the tally. With `fail_if_slower`, so does an automatic choice that is slower than another
 * variant. */
void bench_all(const CheckOptions *options, const BenchOptions *wanted, CheckTally *tally);

#endif
