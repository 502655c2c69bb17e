/* Injects all faults into a command, with several workers. */
#ifndef IMGTOOL_TESTS_INJECT_SWEEP_H
#define IMGTOOL_TESTS_INJECT_SWEEP_H

#include "verdict.h"

/* Counters of all workers, in shared memory. */
typedef Counts Tally[INJECT_CALLS][FAULTS_MOST];

enum { CANNOT_INJECT = 77 };

/* Returns 0 on success, or CANNOT_INJECT if system calls cannot be intercepted. Returns another
 * number if a run without faults does not give the expected result; then nothing was tried. */
int sweep_case(const Options *options, const Case *one, Tally tally);

#endif
