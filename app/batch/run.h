/* Works through the plan of a batch. */
#ifndef IMGTOOL_APP_BATCH_RUN_H
#define IMGTOOL_APP_BATCH_RUN_H

#include "app/batch/plan/batch_plan.h"
#include "app/job/job.h"

typedef struct Batch {
    const BatchPlan *plan;
    const ImgStep *steps; /* not bound to a picture */
    size_t step_count;
    const Settings *settings;
} Batch;

/* Creates the directories, works on every file, reports progress, and sums up. Returns the exit
 * code. After an interrupt, interrupt_finish ends the program by its signal once this has returned.
 */
int batch_run(const Batch *batch);

/* --dry-run: one line per file on standard output. Returns the exit code. */
int batch_print_plan(const Batch *batch);

/* The same with --shards and no --shard: of each part how many files and bytes it has, and how long
 * they would take. */
int batch_print_shares(const Batch *batch);

#endif
