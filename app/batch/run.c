/* The files of a batch go through a pool; each is one job of its own. Records, report and totals
 * are kept by whoever finishes a file, one at a time. */
#include "app/batch/run.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "app/batch/execs.h"
#include "app/batch/leftovers.h"
#include "app/batch/order.h"
#include "app/batch/pool.h"
#include "app/batch/progress.h"
#include "app/batch/record.h"
#include "app/batch/report_file.h"
#include "app/batch/result.h"
#include "app/batch/skip.h"
#include "app/batch/steps_text.h"
#include "app/exit_code.h"
#include "app/interrupt.h"
#include "app/machine.h"
#include "app/report.h"
#include "app/resources.h"

/* Everything that one batch owns. */
typedef struct Run {
    const Batch *batch;
    Settings settings; /* of each job */
    Record **records;  /* one a root */
    Execs *execs;
    ReportFile *report_file;
    Progress *progress;
    int jobs;
    size_t *order; /* of the files of the plan */
    atomic_uint told_formats;

    pthread_mutex_t mutex; /* for what follows */
    BatchTotals totals;
    char **failures; /* messages */
    size_t failure_count, failure_room;
    bool report_is_lost; /* which was reported */
    ImgStatus fatal;     /* no file after this one can go better: a backend that is not there */
} Run;

/* Where a worker stands. */
typedef struct Place {
    Run *run;
    Pool *pool;
    int worker;
    size_t turn, index;
    FileState before; /* the input, before it is read */
} Place;

/* --- Results: with the mutex held ---------------------------------------------------------------
 */

static void keep_failure(Run *run, const char *message)
{
    if (run->failure_count == run->failure_room) {
        size_t room = run->failure_room > 0 ? 2 * run->failure_room : 16;
        char **larger = realloc(run->failures, room * sizeof *larger);
        if (larger == NULL)
            return; /* it was reported, and counts */
        run->failures = larger;
        run->failure_room = room;
    }
    char *copy = strdup(message);
    if (copy != NULL)
        run->failures[run->failure_count++] = copy;
}

static bool is_fatal(ImgStatus status)
{
    return status == IMG_E_UNAVAILABLE || status == IMG_E_DEVICE;
}

/* True: no file after it is to be taken. */
static bool note_result(Run *run, const BatchResult *result, const ImgError *failure)
{
    ImgError err = {IMG_OK, ""};
    pthread_mutex_lock(&run->mutex);
    run->totals.under_way--;
    batch_totals_add(&run->totals, result);
    if (result->outcome == BATCH_FAILED) {
        report_failure(failure);
        keep_failure(run, failure->message);
        if (is_fatal(failure->status))
            run->fatal = failure->status;
    }
    if (!run->report_is_lost && run->report_file != NULL &&
        report_file_add(run->report_file, result, &err) != IMG_OK) {
        report_failure(&err);
        run->report_is_lost = true;
        run->fatal = err.status;
    }
    bool over = run->fatal != IMG_OK ||
                (result->outcome == BATCH_FAILED && run->batch->settings->fail_fast);
    pthread_mutex_unlock(&run->mutex);
    return over;
}

/* --- One file -----------------------------------------------------------------------------------
 */

static ImgStatus admit(void *context, ImgShape shape, uint64_t bytes, JobShare *share,
                       ImgError *err)
{
    const Place *place = context;
    Run *run = place->run;
    const Batch *batch = run->batch;
    const ExecsPicture picture = {batch->steps, batch->step_count, shape,
                                  batch->plan->count - place->turn};
    ImgStatus status = execs_get(run->execs, place->worker, &picture, &share->exec, err);
    if (status == IMG_OK)
        share->threads = pool_admit(place->pool, place->worker, bytes);
    return status;
}

static ImgStatus note_finished(void *context, const char *temporary, ImgError *err)
{
    const Place *place = context;
    const BatchFile *file = &place->run->batch->plan->files[place->index];
    return record_add(place->run->records[file->root],
                      record_input(place->run->batch->settings, file), &place->before, temporary,
                      file->output, err);
}

static ImgStatus do_file(Run *run, Place *place, const BatchFile *file, JobReport *report,
                         ImgError *err)
{
    const Batch *batch = run->batch;
    ImgStep steps[IMG_STEPS_MAX];
    memcpy(steps, batch->steps, batch->step_count * sizeof *steps);
    /* What is replaced stays what it is, whatever it is called. */
    static const ImgFileFormat png = IMG_FILE_PNG;
    if (run->records[file->root] == NULL)
        return img_fail(err, IMG_E_IO, "%s: not done, as no record can be kept in its folder",
                        file->input);
    bool there = file_state(file->input, &place->before);
    if (!there && batch->settings->in_place)
        return img_fail(err, IMG_E_IO, "%s: cannot be opened: %s", file->input, strerror(errno));
    Job job = {
        .input = file->input,
        .output = file->output,
        .steps = steps,
        .count = batch->step_count,
        .settings = &run->settings,
        .format = batch->settings->in_place ? &png : NULL,
        .admit = admit,
        .admit_context = place,
        .finished = there ? note_finished : NULL,
        .finished_context = place,
        .told_formats = &run->told_formats,
    };
    return job_run(&job, report, err);
}

static void work(void *context, Pool *pool, int worker, size_t turn)
{
    Run *run = context;
    size_t index = run->order[turn];
    const BatchFile *file = &run->batch->plan->files[index];
    BatchResult result = {.file = file, .message = ""};
    ImgError err = {IMG_OK, ""};
    pthread_mutex_lock(&run->mutex);
    run->totals.under_way++;
    pthread_mutex_unlock(&run->mutex);
    const char *skipped = skip_reason(run->batch->settings, run->records[file->root], file);
    if (skipped != NULL) {
        result.outcome = BATCH_SKIPPED;
        result.message = skipped;
    } else {
        Place place = {.run = run, .pool = pool, .worker = worker, .turn = turn, .index = index};
        result.status = do_file(run, &place, file, &result.report, &err);
        result.outcome = result.status == IMG_OK ? BATCH_DONE : BATCH_FAILED;
        result.message = err.message;
    }
    if (note_result(run, &result, &err))
        pool_stop(pool);
}

/* --- All of them --------------------------------------------------------------------------------
 */

static bool watch(void *context)
{
    Run *run = context;
    execs_report_lost(run->execs);
    pthread_mutex_lock(&run->mutex);
    BatchTotals totals = run->totals;
    pthread_mutex_unlock(&run->mutex);
    bool asked = interrupt_asked();
    progress_show(run->progress, &totals, asked);
    return !asked;
}

/* Of several folders whose files are replaced, one that is closed to us must not stop the others:
 * its files fail. */
static ImgStatus open_record(Run *run, size_t root, const char *steps, ImgError *err)
{
    const BatchPlan *plan = run->batch->plan;
    ImgError failure = {IMG_OK, ""};
    if (record_open(plan->roots[root], steps, &run->records[root], &failure) == IMG_OK)
        return IMG_OK;
    if (plan->root_count == 1)
        return img_fail(err, failure.status, "%s", failure.message);
    report_failure(&failure);
    return IMG_OK;
}

static ImgStatus open_records(Run *run, ImgError *err)
{
    const BatchPlan *plan = run->batch->plan;
    char *steps = steps_text(run->batch->steps, run->batch->step_count, &run->settings);
    run->records = calloc(plan->root_count + 1, sizeof(Record *)); /* roots may be none */
    ImgStatus status = IMG_OK;
    if (steps == NULL || run->records == NULL)
        status = img_fail(err, IMG_E_MEMORY, "no memory");
    for (size_t i = 0; status == IMG_OK && i < plan->root_count; i++)
        status = open_record(run, i, steps, err);
    free(steps);
    return status;
}

/* The report is checked before anything is created, and again: it may lie in what was created. */
static ImgStatus create_folders(const Run *run, ImgError *err)
{
    const BatchPlan *plan = run->batch->plan;
    const char *report = run->batch->settings->report_file;
    ImgStatus status = report != NULL ? report_file_check(report, plan, err) : IMG_OK;
    if (status == IMG_OK)
        status = batch_plan_create_folders(plan, err);
    if (status == IMG_OK && report != NULL)
        status = report_file_check(report, plan, err);
    return status;
}

static ImgStatus set_up(Run *run, ImgError *err)
{
    const BatchPlan *plan = run->batch->plan;
    const Settings *settings = run->batch->settings;
    ImgStatus status = create_folders(run, err);
    if (status == IMG_OK)
        status = open_records(run, err);
    if (status == IMG_OK) {
        size_t removed = leftovers_remove(plan);
        if (removed > 0)
            report_note(settings, "%zu unfinished file%s of an earlier run removed", removed,
                        removed == 1 ? "" : "s");
    }
    if (status == IMG_OK && settings->report_file != NULL)
        status = report_file_open(settings->report_file, &run->report_file, err);
    if (status == IMG_OK)
        status = execs_create(settings, run->jobs, &run->execs, err);
    if (status == IMG_OK && (run->order = batch_order(plan)) == NULL)
        status = img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    return status;
}

static int exit_code(const Run *run)
{
    if (run->fatal != IMG_OK)
        return exit_code_of(run->fatal);
    if (run->totals.failed > 0)
        return CLI_SOME_FAILED;
    return run->batch->plan->failures > 0 ? CLI_SOME_FAILED : CLI_OK;
}

static void work_through(Run *run)
{
    double start = img_clock();
    PoolConfig config = {
        .jobs = run->jobs,
        .memory = run->settings.max_memory,
        .count = run->batch->plan->count,
        .work = work,
        .watch = watch,
        .context = run,
    };
    for (size_t i = 0; i < run->batch->plan->message_count; i++)
        keep_failure(run, run->batch->plan->messages[i]);
    run->progress = progress_start(run->batch->settings);
    run->totals.files = config.count;
    PoolReport report = pool_run(&config);
    progress_end(run->progress);
    batch_print_summary(run->batch->settings, &run->totals, img_clock() - start, config.memory,
                        report.memory_most, (const char *const *)run->failures, run->failure_count);
}

static void clean_up(Run *run)
{
    for (size_t i = 0; run->records != NULL && i < run->batch->plan->root_count; i++)
        record_close(run->records[i]);
    for (size_t i = 0; i < run->failure_count; i++)
        free(run->failures[i]);
    free(run->failures);
    free(run->records);
    free(run->order);
    execs_free(run->execs);
    pthread_mutex_destroy(&run->mutex);
}

int batch_run(const Batch *batch)
{
    if (batch->plan->count == 0) /* why was told; no folder is to be left for that */
        return batch->plan->failures > 0 ? CLI_SOME_FAILED : CLI_OK;
    ImgError err = {IMG_OK, ""}, late = {IMG_OK, ""};
    Run run = {.batch = batch, .settings = *batch->settings};
    pthread_mutex_init(&run.mutex, NULL);
    run.settings.max_memory = resources_batch_memory(batch->settings);
    run.jobs = resources_jobs(batch->settings, batch->plan->root_count + 1); /* and the report */
    machine_keep_memory(run.settings.max_memory / (uint64_t)run.jobs);
    int code = CLI_OK;
    if (set_up(&run, &err) == IMG_OK) {
        work_through(&run);
        code = exit_code(&run);
    } else {
        code = report_failure(&err);
    }
    if (report_file_close(&run.report_file, &late) != IMG_OK && !run.report_is_lost)
        code = report_failure(&late);
    clean_up(&run);
    return code;
}
