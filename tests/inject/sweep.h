/* Injects all faults into a command. Several worker processes divide the work. */
#ifndef IMGTOOL_TESTS_INJECT_SWEEP_H
#define IMGTOOL_TESTS_INJECT_SWEEP_H

#include "verdict.h"

/* Counters for each call and fault. All workers count in the same shared memory. */
typedef Counts Tally[INJECT_CALLS][FAULTS_MOST];

enum { CANNOT_INJECT = 77 };

/* Tries all faults of a command. Returns 0 on success, or CANNOT_INJECT if system calls cannot be
 * intercepted. Returns another number, before trying any fault, if a run without faults does not
 * give the expected result. */
int sweep_case(const Options *options, const Case *one, Tally tally);

#endif
