/* Injects all faults into a command, with several workers. */
#ifndef IMGTOOL_TESTS_INJECT_SWEEP_H
#define IMGTOOL_TESTS_INJECT_SWEEP_H

#include "verdict.h"

/* Counters of all workers, in shared memory. */
typedef Counts Tally[INJECT_CALLS][FAULTS_MOST];

enum { CANNOT_INJECT = 77 };

/* Returns 0; CANNOT_INJECT if system calls cannot be intercepted; or another number if a run
 * without faults does not give the expected result, and nothing was tried. */
int sweep_case(const Options *options, const Case *one, Tally tally);

#endif
