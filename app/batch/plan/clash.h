/* Outputs that would destroy each other, an input, or what a step reads. Private to the plan, but
 * for clash_with_steps. */
#ifndef IMGTOOL_APP_BATCH_PLAN_CLASH_H
#define IMGTOOL_APP_BATCH_PLAN_CLASH_H

#include "app/batch/plan/batch_plan.h"
#include "app/cli/options.h"
#include "kernels/core/op.h"

/* IMG_E_USAGE where two inputs have one output, or an output is called as a directory of the plan.
 * The message names both files and the remedy. `first_listed` is the first file that came from a
 * list.
 */
ImgStatus clash_of_outputs(const BatchPlan *plan, size_t first_listed, const Settings *settings,
                           ImgError *err);

/* Could an output of the share be a link that is there already? */
bool clash_has_links(const BatchPlan *plan);

/* IMG_E_USAGE where two outputs lead to one file, by links that are there already. Those of one
 * name were refused before. Of other shares, whose outputs were not looked at, links count where
 * one of the own is one. */
ImgStatus clash_of_links(const BatchPlan *plan, ImgError *err);

/* IMG_E_USAGE where an output that exists is an input, by device and inode. Of inputs of other
 * shares only where some lie in a directory of outputs, or an output is a link. */
ImgStatus clash_with_inputs(const BatchPlan *plan, ImgError *err);

/* IMG_E_USAGE where an output that exists is a file that a step reads, by device and inode, and
 * where that has further names, by its path. Of other shares those of that name. */
ImgStatus clash_with_steps(const BatchPlan *plan, const ImgStep *steps, size_t step_count,
                           ImgError *err);

#endif
