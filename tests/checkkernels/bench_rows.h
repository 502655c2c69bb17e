/* Prints the table rows of one operation that is timed. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_BENCH_ROWS_H
#define IMGTOOL_TESTS_CHECKKERNELS_BENCH_ROWS_H

#include "tests/checkkernels/bench_work.h"

/* Times a copy of the same bytes, then every implementation that the options select. Does nothing
 * if they select none. */
void bench_variants(const BenchWork *work, const BenchOptions *wanted, const CheckOptions *options,
                    CheckTally *tally);

#endif
