/* Running a batch according to its plan, and the functions that prepare the run. */
#ifndef IMGTOOL_APP_BATCH_BATCH_H
#define IMGTOOL_APP_BATCH_BATCH_H

#include <stddef.h>

#include "app/batch/plan/batch_plan.h"
#include "app/cli/options.h"
#include "app/engine/job.h"
#include "kernels/core/exec/exec.h"

typedef struct Batch {
    const BatchPlan *plan;
    const ImgStep *steps; /* the steps of the batch, not yet prepared for a particular picture */
    size_t step_count;
    const Settings *settings;
} Batch;

/* Creates the directories, processes every file, and prints progress and a summary. Returns the
 * exit code. If the user interrupted the batch, the caller must then call interrupt_finish, which
 * ends the program by the signal. */
int batch_run(const Batch *batch);

/* Runs --dry-run: prints one line per file on standard output. Returns the exit code. */
int batch_print_plan(const Batch *batch);

/* Runs --dry-run with --shards but without --shard: prints for each part of the batch the number of
 * files, the bytes and the estimated time. Returns the exit code. */
int batch_print_shares(const Batch *batch);

/* --- Order of files --------------------------------------------------------------------------- */

/* Returns the indices of the plan's files in the order of processing. Files that are much larger
 * than the mean come first. Otherwise one of them could keep a single thread busy at the end, while
 * all others are idle. The rest follow in the order of the plan. The caller frees the array.
 * Returns NULL if there is no memory. */
size_t *batch_order(const BatchPlan *plan);

/* --- Leftovers of killed runs ----------------------------------------------------------------- */

/* Removes temporary files (named as in io/output/output_path.h) that belong to outputs of this
 * plan. Follows symbolic links to the directory that holds the output. Keeps files that another
 * process is writing, which are locked, and files that cannot be removed. Call it while the records
 * are locked. Returns the number of removed files. */
size_t leftovers_remove(const BatchPlan *plan);

/* --- Text of the steps ---------------------------------------------------------------------------
 *
 * Makes a text that identifies the steps and options of a batch. The record contains a hash of it,
 * by which a later run recognises files that were made with the same steps. */

/* Returns a text of the steps: all parameters, and size and CRC of each file that a step names.
 * These files must be loaded. Without --in-place the text also contains the encoder settings and
 * the version of the program, so that equal texts mean outputs with equal bytes. With --in-place it
 * omits them, since a finished file must not be processed twice, even if its bytes would differ.
 * Returns NULL if there is no memory. The caller frees the text. */
char *steps_text(const ImgStep *steps, size_t count, const Settings *settings);

#endif
