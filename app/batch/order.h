/* The order in which the files of a batch are started. */
#ifndef IMGTOOL_APP_BATCH_ORDER_H
#define IMGTOOL_APP_BATCH_ORDER_H

#include "app/batch/plan/batch_plan.h"

/* Returns indices into the plan's files. Files that are much larger than the mean come first, so
 * that none of them occupies one thread at the end while all others are idle. The rest follow in
 * the order of the plan. The caller frees the array; NULL: no memory. */
size_t *batch_order(const BatchPlan *plan);

#endif
