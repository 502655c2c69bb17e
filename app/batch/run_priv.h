/* Private to run.c, records.c, run_file.c and steal.c: one batch at work. */
#ifndef IMGTOOL_APP_BATCH_RUN_PRIV_H
#define IMGTOOL_APP_BATCH_RUN_PRIV_H

#include <pthread.h>

#include "app/batch/record/record.h"
#include "app/batch/report/notes.h"
#include "app/batch/report/progress.h"
#include "app/batch/report/report_file.h"
#include "app/batch/report/result.h"
#include "app/batch/run.h"
#include "app/batch/shard/feed.h"
#include "app/files/made_files.h"
#include "app/sched/device_pool.h"
#include "app/sched/pool.h"

/* Everything that one batch owns. */
typedef struct Run {
    const Batch *batch;
    Settings settings;   /* of each job */
    Record **records;    /* one a root; NULL: there is none */
    ImgStatus *refusals; /* of each root, why; or IMG_OK */
    DevicePool *devices;
    ImgTeam *team;
    ReportFile *report_file;
    Progress *progress;
    int jobs;
    size_t *order;   /* of the files of the plan; NULL: they come from `feed` */
    Feed *feed;      /* of --steal; or NULL */
    MadeFiles *made; /* the outputs; NULL where they replace their inputs */

    pthread_mutex_t mutex; /* for what follows */
    BatchTotals totals;
    Notes notes;
    size_t may_try_again; /* of the files that failed */
    bool report_is_lost;  /* which was reported */
    ImgStatus fatal;      /* no file after this one can go better: a backend that is not there */
} Run;

/* A PoolWork; its context is the Run. One file from its input to its result, which is reported. */
void batch_run_file(void *context, Pool *pool, int worker, size_t turn);

/* The same for --steal: the next file that the feed has, whatever the turn, once it has one. */
void batch_steal_file(void *context, Pool *pool, int worker, size_t turn);

/* One file; returns whether it should be tried again. `pictures` are those that are left. */
bool batch_do_file(Run *run, const BatchFile *file, size_t pictures, Pool *pool, int worker);

/* May so many records be open at a time? Before anything is done; IMG_E_LIMIT. */
ImgStatus batch_check_records(const Run *run, ImgError *err);

/* Opens the record of each root; in place, where nothing is continued, a run begins there. Of
 * several roots one that cannot be opened is reported, and its files fail. */
ImgStatus batch_open_records(Run *run, ImgError *err);

/* CLI_OK, or what the records say at the end, which is reported. */
int batch_close_records(Run *run);

/* The exit code for it, after reporting it. */
int batch_code_of(const ImgError *err);

/* Where SIGTERM has come, and --grace is over: ends the program by it, with what is under way
 * undone, and its claims given back. Call often. */
void batch_check_grace(Run *run);

/* Opens the feed of --steal. */
ImgStatus batch_open_feed(Run *run, ImgError *err);

/* Says which files stay undone because nobody takes from parts that have not begun. */
void batch_note_unbegun(const Run *run);

#endif
