/* Finds and creates the directories of the outputs. */
#ifndef IMGTOOL_APP_BATCH_PLAN_DIRECTORIES_H
#define IMGTOOL_APP_BATCH_PLAN_DIRECTORIES_H

#include "app/batch/plan/batch_plan.h"
#include "kernels/core/status.h"

/* Sets plan->directories: OUTPUT_DIR and all directories of outputs below it, sorted by bytes, so
 * that each follows its parent. Output paths must be final. */
ImgStatus directories_collect(BatchPlan *plan, ImgError *err);

/* Creates the missing ones. */
ImgStatus directories_create(const BatchPlan *plan, ImgError *err);

#endif
