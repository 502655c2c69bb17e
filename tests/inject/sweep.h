/* All faults of a command, by several workers. */
#ifndef IMGTOOL_TESTS_INJECT_SWEEP_H
#define IMGTOOL_TESTS_INJECT_SWEEP_H

#include "verdict.h"

/* What all workers count in; in shared memory. */
typedef Counts Tally[INJECT_CALLS][FAULTS_MOST];

/* False: an undisturbed run is not as it should be, and nothing was tried. */
bool sweep(const Options *options, const Case *one, Tally tally);

#endif
