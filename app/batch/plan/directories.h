/* Which directories the outputs of a plan need, and creating them. */
#ifndef IMGTOOL_APP_BATCH_PLAN_DIRECTORIES_H
#define IMGTOOL_APP_BATCH_PLAN_DIRECTORIES_H

#include "app/batch/plan/batch_plan.h"
#include "kernels/core/status.h"

/* Sets directories and directory_count: OUTPUT_DIR, and the directories of all outputs below it,
 * sorted by bytes, so that each comes after the one that it is in. Outputs are in their final
 * form. */
ImgStatus directories_collect(BatchPlan *plan, ImgError *err);

/* Creates those that are missing. */
ImgStatus directories_create(const BatchPlan *plan, ImgError *err);

#endif
