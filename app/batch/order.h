/* In which order the files of a batch are begun. */
#ifndef IMGTOOL_APP_BATCH_ORDER_H
#define IMGTOOL_APP_BATCH_ORDER_H

#include "app/batch/plan/batch_plan.h"

/* Numbers of the plan's files: those that are much larger than others first, so that none of them
 * keeps one thread busy at the end while all others have nothing to do; then the rest as planned.
 * The caller frees it; NULL: no memory. */
size_t *batch_order(const BatchPlan *plan);

#endif
