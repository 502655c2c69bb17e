/* Is the variant that the automatic choice takes the fastest? */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_BENCH_CHOICE_H
#define IMGTOOL_TESTS_CHECKKERNELS_BENCH_CHOICE_H

#include "tests/checkkernels/bench_work.h"

/* Times, in few runs each, what img_impl_fastest takes and all other variants of the backend that
 * apply; the reference only where there is nothing else to compare with. Where another seems to be
 * faster, both are timed again, in turn. A failure in the tally, and a line that says which and by
 * how much, where the choice takes longer by more than 5 % and the noise of both. */
void bench_choice(const BenchWork *work, const BenchOptions *wanted, const CheckOptions *options,
                  CheckTally *tally);

void bench_choice_print_head(const BenchOptions *wanted);

/* "812 choices are the fastest, ..." */
void bench_choice_print_tally(const CheckTally *tally);

#endif
