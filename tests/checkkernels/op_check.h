/* Checks one operation on any number of threads. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_OP_CHECK_H
#define IMGTOOL_TESTS_CHECKKERNELS_OP_CHECK_H

#include <pthread.h>

#include "tests/checkkernels/cases.h"
#include "tests/checkkernels/check.h"
#include "tests/checkkernels/failures.h"

enum { OP_CHECK_IMPLS_MAX = 64 };

/* The checked implementations of an operation and their results. */
typedef struct OpCheck {
    const ImgOp *op;
    const CheckOptions *options;
    CaseList list;
    bool has_list;
    size_t impls; /* including the reference */
    bool wanted[OP_CHECK_IMPLS_MAX];
    int left;              /* number of threads that have continued with the next operation */
    pthread_mutex_t mutex; /* protects the following fields */
    CheckTally tally[OP_CHECK_IMPLS_MAX];
    Failures failures[OP_CHECK_IMPLS_MAX];
} OpCheck;

/* Starts a check. The caller must call op_check_end afterwards. */
OpCheck *op_check_begin(const ImgOp *op, const CheckOptions *options);

/* Takes cases until there are none left. Each thread has its own checker. */
void op_check_take_cases(OpCheck *check, Checker *checker);

/* Prints the results, adds them to `tally`, and frees the check. */
void op_check_end(OpCheck *check, CheckTally *tally);

#endif
