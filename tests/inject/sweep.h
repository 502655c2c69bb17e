/* All faults of a command, by several workers. */
#ifndef IMGTOOL_TESTS_INJECT_SWEEP_H
#define IMGTOOL_TESTS_INJECT_SWEEP_H

#include "verdict.h"

/* What all workers count in; in shared memory. */
typedef Counts Tally[INJECT_CALLS][FAULTS_MOST];

enum { CANNOT_INJECT = 77 };

/* 0, or CANNOT_INJECT where system calls cannot be caught, or another number where an undisturbed
 * run is not as it should be: then nothing was tried. */
int sweep_case(const Options *options, const Case *one, Tally tally);

#endif
