/* Private interface of batch.c, batch_file.c and steal.c: the state of a running batch. */
#ifndef IMGTOOL_APP_BATCH_RUN_PRIV_H
#define IMGTOOL_APP_BATCH_RUN_PRIV_H

#include <pthread.h>

#include "app/batch/batch.h"
#include "app/batch/record/record.h"
#include "app/batch/report/batch_result.h"
#include "app/batch/report/notes.h"
#include "app/batch/report/progress.h"
#include "app/batch/report/report_file.h"
#include "app/batch/shard/feed.h"
#include "app/files/made_files.h"
#include "app/sched/device_pool.h"
#include "app/sched/pool.h"

/* State of one running batch. */
typedef struct Run {
    const Batch *batch;
    Settings settings;   /* of each job */
    Record **records;    /* one per root; an entry is NULL if the root has none */
    ImgStatus *refusals; /* for each root, why its record is missing; or IMG_OK */
    DevicePool *devices;
    ImgTeam *team;
    ReportFile *report_file;
    Progress *progress;
    int jobs;
    size_t *order;   /* indices into the files of the plan; NULL: they come from `feed` */
    Feed *feed;      /* of --steal; else NULL */
    MadeFiles *made; /* outputs of this run; NULL if outputs replace their inputs */

    pthread_mutex_t mutex; /* guards the fields below */
    BatchTotals totals;
    Notes notes;
    size_t may_try_again; /* failed files that may succeed later */
    bool report_is_lost;  /* writing the report failed, and that was reported */
    ImgStatus fatal; /* failure that concerns all files, such as a missing backend; or IMG_OK */
} Run;

/* Processes one file and reports the result; a PoolWork with the Run as context. */
void batch_run_file(void *context, Pool *pool, int worker, size_t turn);

/* The same for --steal: takes the next file of the feed, whatever `turn` is, and waits until there
 * is one. */
void batch_steal_file(void *context, Pool *pool, int worker, size_t turn);

/* Processes one file. Returns whether it should be tried again. `pictures` is the number of files
 * that are left. */
bool batch_do_file(Run *run, const BatchFile *file, size_t pictures, Pool *pool, int worker);

/* Opens the feed of --steal. */
ImgStatus batch_open_feed(Run *run, ImgError *err);

/* Notes how many files stay undone because their parts have not started. */
void batch_note_unstarted(const Run *run);

#endif
