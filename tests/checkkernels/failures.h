/* What an implementation did wrong, as text: of all failures those of the first cases, whichever
 * thread was there first. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_FAILURES_H
#define IMGTOOL_TESTS_CHECKKERNELS_FAILURES_H

#include <stddef.h>

#include "kernels/core/op.h"
#include "tests/checkkernels/cases.h"

enum { FAILURES_SHOWN = 5 };

/* Starts as all zeros. */
typedef struct Failures {
    char *texts[FAILURES_SHOWN]; /* owned; NULL past the last */
    size_t numbers[FAILURES_SHOWN];
} Failures;

/* Case `number`, whose rows were at multiples of `alignment` bytes. What the device refuses is
 * printed here and now: it may refuse everything from now on. */
void failures_note(Failures *failures, const Case *one, size_t number, const ImgImpl *impl,
                   size_t alignment, const ImgError *err);

/* Prints what was noted and forgets it. */
void failures_print(Failures *failures);

#endif
