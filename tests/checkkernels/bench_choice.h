/* Checks that the variant of the automatic choice is the fastest. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_BENCH_CHOICE_H
#define IMGTOOL_TESTS_CHECKKERNELS_BENCH_CHOICE_H

#include "tests/checkkernels/bench_work.h"

/* Times the choice of img_impl_fastest and all other variants of the backend that apply, with few
 * runs each. The reference is included only if there is nothing else to compare. If another variant
 * seems faster, both are timed again with alternating runs. If the choice takes longer by more than
 * 5 % and the noise of both, the tally counts a failure and a line names the variant and the
 * difference. */
void bench_choice(const BenchWork *work, const BenchOptions *wanted, const CheckOptions *options,
                  CheckTally *tally);

void bench_choice_print_head(const BenchOptions *wanted);

/* Prints a line such as "812 choices are the fastest, ..." */
void bench_choice_print_tally(const CheckTally *tally);

#endif
