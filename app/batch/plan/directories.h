/* Finds and creates the directories of the outputs. */
#ifndef IMGTOOL_APP_BATCH_PLAN_DIRECTORIES_H
#define IMGTOOL_APP_BATCH_PLAN_DIRECTORIES_H

#include "app/batch/plan/batch_plan.h"
#include "kernels/core/status.h"

/* Sets plan->directories to OUTPUT_DIR and all directories below it that outputs need. They are
 * sorted by bytes, so that each directory follows its parent. The paths of the outputs must be
 * final. */
ImgStatus directories_collect(BatchPlan *plan, ImgError *err);

/* Creates those directories of the plan that do not exist yet. */
ImgStatus directories_create(const BatchPlan *plan, ImgError *err);

#endif
