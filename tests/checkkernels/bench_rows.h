/* The table's rows of one thing that is timed. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_BENCH_ROWS_H
#define IMGTOOL_TESTS_CHECKKERNELS_BENCH_ROWS_H

#include "tests/checkkernels/bench_work.h"

/* A copy of the same bytes, then every implementation that the options select; nothing where they
 * select none. */
void bench_variants(const BenchWork *work, const BenchOptions *wanted, const CheckOptions *options,
                    CheckTally *tally);

#endif
