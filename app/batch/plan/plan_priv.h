/* Functions that make a plan. Only files of this directory call them. The exception is
 * clash_with_steps, which app/commands/batch.c calls. */
#ifndef IMGTOOL_APP_BATCH_PLAN_PLAN_PRIV_H
#define IMGTOOL_APP_BATCH_PLAN_PLAN_PRIV_H

#include "app/batch/plan/batch_plan.h"
#include "app/cli/options.h"
#include "app/files/gather.h"
#include "kernels/core/op.h"

/* --- Outputs ---------------------------------------------------------------------------------- */

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
 * failure. Takes ownership of the paths of the inputs. */
ImgStatus outputs_in_place(BatchPlan *plan, Gathered *gathered, ImgError *err);

/* --- Clashes -------------------------------------------------------------------------------------
 *
 * Rejects a plan in which an output would overwrite another output, an input, or a file that a step
 * reads. */

/* Fails with IMG_E_USAGE if two inputs have the same output, or an output has the path of a
 * directory of the plan. The message names both files and a remedy. `first_listed` is the index of
 * the first file that came from a list (--from-file). */
ImgStatus clash_of_outputs(const BatchPlan *plan, size_t first_listed, const Settings *settings,
                           ImgError *err);

/* Fails with IMG_E_USAGE if two outputs are the same file because of existing symbolic links. Call
 * it after clash_of_outputs, which rejects equal paths. Outputs of other parts are resolved only if
 * an output of this part is a symbolic link. */
ImgStatus clash_of_links(const BatchPlan *plan, ImgError *err);

/* Fails with IMG_E_USAGE if an output is an existing file that is also an input, compared by device
 * and inode. Inputs of other parts are compared only in two cases: one of them is in a directory of
 * outputs, or an output of this part is a link. */
ImgStatus clash_with_inputs(const BatchPlan *plan, ImgError *err);

/* Fails with IMG_E_USAGE if an output is an existing file that a step reads. Files are compared by
 * device and inode, and also by path if the file has several names. Outputs of other parts are
 * compared only if they have the same name in their directory as a file that a step reads. */
ImgStatus clash_with_steps(const BatchPlan *plan, const ImgStep *steps, size_t step_count,
                           ImgError *err);

#endif
