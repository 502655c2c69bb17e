/* Descriptions of the failures of an implementation. The list keeps those of the cases with the
 * lowest numbers. It does not depend on the order in which threads find them. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_FAILURES_H
#define IMGTOOL_TESTS_CHECKKERNELS_FAILURES_H

#include <stddef.h>

#include "kernels/core/op.h"
#include "tests/checkkernels/cases.h"

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

#endif
