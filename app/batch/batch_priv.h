/* Private interface of batch.c, batch_file.c and steal.c: the state of a running batch. */
#ifndef IMGTOOL_APP_BATCH_BATCH_PRIV_H
#define IMGTOOL_APP_BATCH_BATCH_PRIV_H

#include <pthread.h>

#include "app/batch/batch.h"
#include "app/batch/record/record.h"
#include "app/batch/report/batch_result.h"
#include "app/batch/report/progress.h"
#include "app/batch/report/report_file.h"
#include "app/batch/shard/feed.h"
#include "app/engine/share/device_pool.h"
#include "app/engine/share/pool.h"
#include "app/files/made_files.h"

/* State of one running batch. */
typedef struct Run {
    const Batch *batch;
    /* Settings of the jobs: those of the batch, but with the memory limit that applies. */
    Settings settings;
    Record **records;    /* one record per root of the plan; NULL for a root without a record */
    ImgStatus *refusals; /* for each root, the reason why its record is missing, or IMG_OK */
    DevicePool *devices;
    ImgTeam *team;
    ReportFile *report_file;
    Progress *progress;
    int jobs, workers; /* PoolConfig.jobs and PoolConfig.workers */
    size_t *order;   /* indices of the plan's files in the order of processing; NULL with --steal */
    Feed *feed;      /* source of the files with --steal; otherwise NULL */
    MadeFiles *made; /* outputs that this run has made; NULL with --in-place */

    pthread_mutex_t mutex; /* guards the fields below */
    BatchTotals totals;
    Notes notes;
    size_t may_try_again; /* number of failed files that may succeed in a later run */
    bool report_is_lost;  /* writing the report failed, and the failure was printed */
    ImgStatus fatal;      /* failure that stops the batch, such as a missing backend; else IMG_OK */
} Run;

/* Processes the file at position `turn` of run->order, and reports the result. Has the type
 * PoolWork (app/engine/share/pool.h); `context` is the Run. */
void batch_run_file(void *context, Pool *pool, int worker, size_t turn);

/* Waits until the feed (--steal) has a file, and processes the file. Stops the pool when the feed
 * is empty. `context` is the Run; `turn` is ignored. */
void batch_steal_file(void *context, Pool *pool, int worker, size_t turn);

/* Processes one file. Returns true if the file failed and a later run may succeed. `pictures` is
 * the number of files that remain, including this one; the job uses a GPU only if they are enough
 * to be worth its start. */
bool batch_do_file(Run *run, const BatchFile *file, size_t pictures, Pool *pool, int worker);

/* Opens the feed, the source of files with --steal. */
ImgStatus batch_open_feed(Run *run, ImgError *err);

/* Prints a note with the number of files that remain unprocessed because the processes of their
 * parts have not started. */
void batch_note_unstarted(const Run *run);

#endif
