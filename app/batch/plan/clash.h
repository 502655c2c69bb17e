/* Rejects outputs that would overwrite each other, an input, or a file that a step reads. Private
 * to the plan, except clash_with_steps. */
#ifndef IMGTOOL_APP_BATCH_PLAN_CLASH_H
#define IMGTOOL_APP_BATCH_PLAN_CLASH_H

#include "app/batch/plan/batch_plan.h"
#include "app/cli/options.h"
#include "kernels/core/op.h"

/* IMG_E_USAGE if two inputs have the same output, or an output has the path of a directory of the
 * plan. The message names both files and a remedy. `first_listed` is the index of the first file
 * that came from a list. */
ImgStatus clash_of_outputs(const BatchPlan *plan, size_t first_listed, const Settings *settings,
                           ImgError *err);

/* Returns whether an output of this part may be an existing link. */
bool clash_has_links(const BatchPlan *plan);

/* IMG_E_USAGE if two outputs resolve to one file through existing links. Equal paths were rejected
 * before. Outputs of other parts are resolved only if an output of this part is a link. */
ImgStatus clash_of_links(const BatchPlan *plan, ImgError *err);

/* IMG_E_USAGE if an existing output is an input, compared by device and inode. Inputs of other
 * parts are compared only if some are in a directory of outputs, or an output is a link. */
ImgStatus clash_with_inputs(const BatchPlan *plan, ImgError *err);

/* IMG_E_USAGE if an existing output is a file that a step reads, compared by device and inode, and
 * by path if the file has more than one name. Outputs of other parts are compared only if their
 * names match. */
ImgStatus clash_with_steps(const BatchPlan *plan, const ImgStep *steps, size_t step_count,
                           ImgError *err);

#endif
