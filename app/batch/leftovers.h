/* Temporary files of runs that were killed. */
#ifndef IMGTOOL_APP_BATCH_LEFTOVERS_H
#define IMGTOOL_APP_BATCH_LEFTOVERS_H

#include <stddef.h>

#include "app/batch/plan.h"

/* Removes the temporary files (io/output_path.h says what they are called) of this plan's outputs,
 * and of no other file, from the folders of its outputs. Call with the records locked: then no
 * other batch is at work there. Says how many there were. What cannot be removed stays. */
size_t leftovers_remove(const BatchPlan *plan);

#endif
