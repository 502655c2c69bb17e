/* Runs a batch according to its plan. */
#ifndef IMGTOOL_APP_BATCH_RUN_H
#define IMGTOOL_APP_BATCH_RUN_H

#include "app/batch/plan/batch_plan.h"
#include "app/job/job.h"

typedef struct Batch {
    const BatchPlan *plan;
    const ImgStep *steps; /* not yet prepared for a particular picture */
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

#endif
