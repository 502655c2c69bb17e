/* The check of one operation, on any number of threads. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_OP_CHECK_H
#define IMGTOOL_TESTS_CHECKKERNELS_OP_CHECK_H

#include <pthread.h>

#include "tests/checkkernels/cases_list.h"
#include "tests/checkkernels/check.h"
#include "tests/checkkernels/failures.h"

enum { OP_CHECK_IMPLS_MAX = 64 };

/* Which of its implementations are checked, and how they did. */
typedef struct OpCheck {
    const ImgOp *op;
    const CheckOptions *options;
    CaseList list;
    bool has_list;
    size_t impls; /* the reference included */
    bool wanted[OP_CHECK_IMPLS_MAX];
    int left;              /* threads that have gone on to the next operation */
    pthread_mutex_t mutex; /* for what follows */
    CheckTally tally[OP_CHECK_IMPLS_MAX];
    Failures failures[OP_CHECK_IMPLS_MAX];
} OpCheck;

/* Ends with op_check_end. */
OpCheck *op_check_begin(const ImgOp *op, const CheckOptions *options);

/* Takes cases until there are no more; each thread has a checker of its own. */
void op_check_take_cases(OpCheck *check, Checker *checker);

/* Prints how it went, adds it to `tally`, and frees. */
void op_check_end(OpCheck *check, CheckTally *tally);

#endif
