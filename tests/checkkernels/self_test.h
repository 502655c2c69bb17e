/* Parts of check_self_test. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_SELF_TEST_H
#define IMGTOOL_TESTS_CHECKKERNELS_SELF_TEST_H

#include "tests/checkkernels/check.h"

/* Prints and counts one check; `what` describes it in either case. */
void self_test_judge(CheckTally *tally, const char *name, bool good, const char *what);

/* Tests bench_choice with variants in a copy of `op`. */
void self_test_choice(const ImgOp *op, CheckTally *tally);

#endif
