/* Descriptions of failures of an implementation. The list keeps the failures of the first cases, in
 * whatever order threads find them. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_FAILURES_H
#define IMGTOOL_TESTS_CHECKKERNELS_FAILURES_H

#include <stddef.h>

#include "kernels/core/op.h"
#include "tests/checkkernels/cases.h"

enum { FAILURES_SHOWN = 5 };

/* Failures of one implementation. Initialise with zeros. */
typedef struct Failures {
    char *texts[FAILURES_SHOWN]; /* owned descriptions; NULL after the last */
    size_t numbers[FAILURES_SHOWN];
} Failures;

/* Notes a failure of case `number`, whose rows were at multiples of `alignment` bytes. Errors of
 * the device are printed at once, because every later call may fail too. */
void failures_note(Failures *failures, const Case *one, size_t number, const ImgImpl *impl,
                   size_t alignment, const ImgError *err);

/* Prints the noted failures and clears them. */
void failures_print(Failures *failures);

#endif
