/* Checks one operation on any number of threads. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_OP_CHECK_H
#define IMGTOOL_TESTS_CHECKKERNELS_OP_CHECK_H

#include <pthread.h>
#include <stddef.h>

#include "kernels/core/op.h"
#include "tests/checkkernels/cases.h"
#include "tests/checkkernels/check.h"

/* --- Descriptions of the failures of an implementation ---------------------------------------- */

/* Maximum number of failures that are printed for an implementation: those of the cases with the
 * lowest numbers. The choice does not depend on the order in which threads find failures. */

enum { FAILURES_SHOWN = 5 };

/* The failures of one implementation. Initialise with zeros. */
typedef struct Failures {
    char *texts[FAILURES_SHOWN]; /* owned descriptions; NULL after the last */
    size_t numbers[FAILURES_SHOWN];
} Failures;

/* Adds a failure of case `number`, whose rows were at multiples of `alignment` bytes. An error of
 * the device is printed at once, because every later call may fail too. */
void failures_note(Failures *failures, const Case *one, size_t number, const ImgImpl *impl,
                   size_t alignment, const ImgError *err);

/* Prints the failures of the list and empties it. */
void failures_print(Failures *failures);

/* --- Checks ----------------------------------------------------------------------------------- */

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
