/* The order in which the files of a batch are started. */
#ifndef IMGTOOL_APP_BATCH_ORDER_H
#define IMGTOOL_APP_BATCH_ORDER_H

#include "app/batch/plan/batch_plan.h"

/* Returns the indices of the plan's files in the order of processing. Files that are much larger
 * than the mean come first; otherwise one of them could keep a single thread busy at the end while
 * all others are idle. The rest follow in the order of the plan. The caller frees the array.
 * Returns NULL if there is no memory. */
size_t *batch_order(const BatchPlan *plan);

#endif
