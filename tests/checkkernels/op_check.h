/* Checks one operation on any number of threads. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_OP_CHECK_H
#define IMGTOOL_TESTS_CHECKKERNELS_OP_CHECK_H

#include <pthread.h>

#include "tests/checkkernels/cases.h"
#include "tests/checkkernels/check.h"
#include "tests/checkkernels/failures.h"

enum { OP_CHECK_IMPLS_MAX = 64 };

/* An operation, its checked implementations, and their results. */
typedef struct OpCheck {
    const ImgOp *op;
    const CheckOptions *options;
    CaseList list;
    bool has_list;
    size_t impls; /* number of implementations, including the reference */
    bool wanted[OP_CHECK_IMPLS_MAX];
    int left;              /* number of threads that have continued with the next operation */
    pthread_mutex_t mutex; /* protects the fields below */
    CheckTally tally[OP_CHECK_IMPLS_MAX];
    Failures failures[OP_CHECK_IMPLS_MAX];
} OpCheck;

/* Starts the check of an operation. The caller must call op_check_end afterwards. */
OpCheck *op_check_begin(const ImgOp *op, const CheckOptions *options);

/* Checks cases that no thread has taken until there are none left. Each thread has its own
 * checker. */
void op_check_take_cases(OpCheck *check, Checker *checker);

/* Prints the results of the check, adds them to `tally`, and frees the check. */
void op_check_end(OpCheck *check, CheckTally *tally);

#endif
