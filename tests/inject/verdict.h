/* Judges whether a program with an injected fault ended correctly. */
#ifndef IMGTOOL_TESTS_INJECT_VERDICT_H
#define IMGTOOL_TESTS_INJECT_VERDICT_H

#include "run_program.h"
#include "tree.h"

/* What a run without faults gives: the files before and after the command, and its result. */
typedef struct Expected {
    Tree before, after;
    Result result;
    bool may_be_other; /* true if the picture may be drawn in another way */
} Expected;

enum { REASON_SIZE = 256 };

/* Returns true if the run was right, otherwise false with the reason. `left` has the files after
 * the run. */
bool verdict(const Case *one, const Expected *expected, const Fault *fault, const Result *result,
             const Tree *left, char reason[REASON_SIZE]);

/* Returns true if the sanitizer itself lacked memory. A run like this is not judged. */
bool is_of_sanitizer(const Result *result);

/* Judges the run without faults that completes the work afterwards. `left` has the files after
 * it. */
bool verdict_of_resume(const Expected *expected, const Result *result, const Tree *left,
                       char reason[REASON_SIZE]);

#endif
