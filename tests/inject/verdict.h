/* Judges whether a run with a fault ended correctly. */
#ifndef IMGTOOL_TESTS_INJECT_VERDICT_H
#define IMGTOOL_TESTS_INJECT_VERDICT_H

#include "run_program.h"
#include "tree.h"

/* The files before the command, and the result of the command without faults. */
typedef struct Expected {
    Tree before, after;
    Result result;
    bool may_be_other; /* the picture may be drawn in another way */
} Expected;

enum { REASON_SIZE = 256 };

/* Returns false with a reason if the run was wrong. `left` is the tree of files afterwards. */
bool verdict(const Case *one, const Expected *expected, const Fault *fault, const Result *result,
             const Tree *left, char reason[REASON_SIZE]);

/* Returns true if the runtime of a sanitizer itself lacked memory. Such a run is not judged. */
bool is_of_sanitizer(const Result *result);

/* Judges the run without faults that completes the work. */
bool verdict_of_resume(const Expected *expected, const Result *result, const Tree *left,
                       char reason[REASON_SIZE]);

#endif
