/* Private to the plan: which folders the outputs need. */
#ifndef IMGTOOL_APP_BATCH_FOLDERS_H
#define IMGTOOL_APP_BATCH_FOLDERS_H

#include "app/batch/plan.h"

/* Sets folders and folder_count: OUTPUT_DIR, and the folders of all outputs below it, sorted by
 * bytes, so that each stands behind the one that it is in. Outputs are in their final form. */
ImgStatus folders_collect(BatchPlan *plan, ImgError *err);

#endif
