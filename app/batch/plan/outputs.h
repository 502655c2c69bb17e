/* Private to the plan: which output each input gets, and below which directory. */
#ifndef IMGTOOL_APP_BATCH_PLAN_OUTPUTS_H
#define IMGTOOL_APP_BATCH_PLAN_OUTPUTS_H

#include "app/batch/plan/batch_plan.h"
#include "app/files/gather.h"

/* Outputs below OUTPUT_DIR, the one root: of inputs that were found in a directory with the
 * directories in between; of names from a list, with --recursive, with all their directories if
 * they are relative; of the others without any. Names follow the pattern, which was checked. Takes
 * the paths of the inputs over. IMG_E_USAGE for a listed name that would leave OUTPUT_DIR ("..")
 * and for a name without format. Outputs have no "//" and no "./" after OUTPUT_DIR. */
ImgStatus outputs_below(BatchPlan *plan, Gathered *gathered, const char *output_directory,
                        const Settings *settings, ImgError *err);

/* Outputs are the inputs; whatever leads to the same file counts once, and comes first. Roots are
 * the directories of the operands, each once by device and inode. A file whose directory is not
 * there is reported and counted. Takes the paths over. */
ImgStatus outputs_in_place(BatchPlan *plan, Gathered *gathered, ImgError *err);

#endif
