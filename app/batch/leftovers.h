/* Temporary files of runs that were killed. */
#ifndef IMGTOOL_APP_BATCH_LEFTOVERS_H
#define IMGTOOL_APP_BATCH_LEFTOVERS_H

#include <stddef.h>

#include "app/batch/plan/batch_plan.h"

/* Removes the temporary files (io/output/output_path.h says what they are called) of this plan's
 * outputs, and of no other file, from the directories where the outputs really are, which links may
 * lead to. Those that somebody is still writing are locked, and stay, as does what cannot be
 * removed. Call with the records locked. Says how many there were. */
size_t leftovers_remove(const BatchPlan *plan);

#endif
