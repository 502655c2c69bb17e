/* Makes the plan of a batch, before anything is written. */
#ifndef IMGTOOL_APP_BATCH_PLAN_MAKE_PLAN_H
#define IMGTOOL_APP_BATCH_PLAN_MAKE_PLAN_H

#include <stddef.h>

#include "app/batch/plan/batch_plan.h"
#include "app/cli/options.h"
#include "kernels/core/status.h"

/* Makes a plan from `operands` (the INPUT... of the command line) and `output_directory` (NULL with
 * --in-place). Uses the settings --recursive, --from-file, --null, --name and --format. Writes
 * nothing. Fails with IMG_E_USAGE if two files would get the same name, an output is an input (by
 * device and inode), or a pattern is invalid. Fails with IMG_E_IO if the list of inputs cannot be
 * read, or OUTPUT_DIR is not a directory. */
ImgStatus batch_plan_make(const char *const *operands, size_t operand_count,
                          const char *output_directory, const Settings *settings, BatchPlan *plan,
                          ImgError *err);

void batch_plan_free(BatchPlan *plan);

#endif
