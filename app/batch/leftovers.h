/* Removes temporary files that killed runs left behind. */
#ifndef IMGTOOL_APP_BATCH_LEFTOVERS_H
#define IMGTOOL_APP_BATCH_LEFTOVERS_H

#include <stddef.h>

#include "app/batch/plan/batch_plan.h"

/* Removes temporary files (named as in io/output/output_path.h) that belong to outputs of this
 * plan, and no others. Links are followed to the directory that really holds the output. A file
 * that another process still writes is locked and stays; a file that cannot be removed also stays.
 * Call it while the records are locked. Returns the number of removed files. */
size_t leftovers_remove(const BatchPlan *plan);

#endif
