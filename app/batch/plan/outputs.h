/* Determines the path of each output of a plan, and the root that contains it. Used only by the
 * plan. */
#ifndef IMGTOOL_APP_BATCH_PLAN_OUTPUTS_H
#define IMGTOOL_APP_BATCH_PLAN_OUTPUTS_H

#include "app/batch/plan/batch_plan.h"
#include "app/files/gather.h"

/* Makes outputs below OUTPUT_DIR, which is the only root. The directories that an output keeps:
 * - an input that was found in a directory keeps the subdirectories between that directory and
 * itself;
 * - with --recursive, a relative name from a list keeps all its directories;
 * - any other input keeps none.
 * Names follow the pattern, which must be valid. Outputs have no "//", and no "./" after
 * OUTPUT_DIR. Takes ownership of the paths of the inputs. Fails with IMG_E_USAGE if a listed name
 * would leave OUTPUT_DIR (".."), or a name has no format. */
ImgStatus outputs_below(BatchPlan *plan, Gathered *gathered, const char *output_directory,
                        const Settings *settings, ImgError *err);

/* Makes outputs that replace their inputs. If several paths resolve to the same file, only the
 * first one counts. The roots are the directories of the files; directories are equal if device and
 * inode are equal. If the directory of a file does not exist, the file is reported and counted as a
 * failure. Takes ownership of the paths. */
ImgStatus outputs_in_place(BatchPlan *plan, Gathered *gathered, ImgError *err);

#endif
