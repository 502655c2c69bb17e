/* Whether a disturbed run ended as it may. */
#ifndef IMGTOOL_TESTS_INJECT_VERDICT_H
#define IMGTOOL_TESTS_INJECT_VERDICT_H

#include "run.h"
#include "tree.h"

/* What a command finds, and what it makes undisturbed. */
typedef struct Expected {
    Tree before, after;
    Result result;
    bool may_be_other; /* a picture may be drawn otherwise */
} Expected;

enum { REASON_SIZE = 256 };

/* False: not as it may, and why. `left`: the files after it. */
bool verdict(const Case *one, const Expected *expected, const Fault *fault, const Result *result,
             const Tree *left, char reason[REASON_SIZE]);

/* Did the runtime of a sanitizer lack memory of its own? Then there is nothing to judge. */
bool is_of_sanitizer(const Result *result);

/* The same of the undisturbed run that completes it. */
bool verdict_of_resume(const Expected *expected, const Result *result, const Tree *left,
                       char reason[REASON_SIZE]);

#endif
