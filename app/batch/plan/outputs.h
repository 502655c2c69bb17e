/* Makes the outputs of a plan: the path of each, and the root that it is below. Private to the
 * plan. */
#ifndef IMGTOOL_APP_BATCH_PLAN_OUTPUTS_H
#define IMGTOOL_APP_BATCH_PLAN_OUTPUTS_H

#include "app/batch/plan/batch_plan.h"
#include "app/files/gather.h"

/* Makes outputs below OUTPUT_DIR, which is the only root. Inputs found in a directory keep the
 * subdirectories between it and them. With --recursive, relative names from a list keep all their
 * directories. All others keep none. Names follow the checked pattern. Takes ownership of the paths
 * of the inputs. IMG_E_USAGE for a listed name that would leave OUTPUT_DIR ("..") and for a name
 * without a format. Outputs have no "//" and no "./" after OUTPUT_DIR. */
ImgStatus outputs_below(BatchPlan *plan, Gathered *gathered, const char *output_directory,
                        const Settings *settings, ImgError *err);

/* Makes outputs that replace their inputs. Paths that resolve to the same file count once, at the
 * first position. Roots are the directories of the files, each once by device and inode. A file
 * whose directory is missing is reported and counted. Takes ownership of the paths. */
ImgStatus outputs_in_place(BatchPlan *plan, Gathered *gathered, ImgError *err);

#endif
