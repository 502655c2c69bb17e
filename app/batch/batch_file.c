/* Processes one file of a batch on a thread of the pool: runs its job and reports the result. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "app/batch/batch_priv.h"
#include "app/batch/record/skip.h"
#include "app/cli/exit_code.h"
#include "app/engine/job.h"
#include "app/engine/share/place.h"
#include "app/explain/explain.h"
#include "app/term/messages.h"

/* State of one file while it is processed. */
typedef struct FileWork {
    Run *run;
    const BatchFile *file;
    Place place;
    FileState before; /* state of the input file before it is read */
    char *notes;      /* notes about this file, one per line; NULL: none */
    bool notes_lost;  /* true if a note could not be stored for lack of memory, and was printed at
                         once */
} FileWork;

static bool is_fatal(ImgStatus status)
{
    return status == IMG_E_UNAVAILABLE || status == IMG_E_DEVICE;
}

/* Adds the result of a file to the totals and the report, and prints its error. Returns true if the
 * batch must stop starting files. */
static bool note_result(Run *run, const BatchResult *result, const ImgError *failure)
{
    ImgError err = {IMG_OK, ""};
    pthread_mutex_lock(&run->mutex);
    run->totals.under_way--;
    batch_totals_add(&run->totals, result);
    if (result->outcome == BATCH_FAILED) {
        report_failure(failure);
        run->may_try_again += exit_may_try_again(failure->status);
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

/* Writes the line of a finished file to the record. Called before the temporary file is renamed to
 * the output. With --in-place the record is also synchronised to disk. If a power failure kept the
 * rename but lost the line, the file would be processed twice. If another program changes the file,
 * the rename does not happen, and the line then matches no file. */
static ImgStatus note_finished(void *context, const char *temporary, ImgError *err)
{
    const FileWork *work = context;
    const BatchFile *file = work->file;
    const Settings *settings = work->run->batch->settings;
    Record *record = work->run->records[file->root];
    ImgStatus status = IMG_OK;
    if (!settings->no_record)
        status = record_add(record, record_input(settings, file), &work->before, temporary,
                            file->output, err);
    if (status == IMG_OK && !settings->no_record && settings->in_place)
        status = record_sync(record, err);
    return status;
}

/* Stores a note about the file for the report, and counts it for the list that is printed at the
 * end of the batch. With -v also prints the note at once. */
static void keep_note(void *context, const char *path, const char *text)
{
    FileWork *work = context;
    Run *run = work->run;
    char *notes = NULL;
    if (asprintf(&notes, "%s%s%s", work->notes != NULL ? work->notes : "",
                 work->notes != NULL ? "\n" : "", text) >= 0) {
        free(work->notes);
        work->notes = notes;
    } else {
        work->notes_lost = true;
    }
    img_engine_detail(&run->batch->settings->engine, "%s: %s", path, text);
    pthread_mutex_lock(&run->mutex);
    bool kept = notes_add(&run->notes, path, text);
    pthread_mutex_unlock(&run->mutex);
    if (!kept || work->notes_lost)
        img_engine_note(&run->batch->settings->engine, "%s: %s", path, text);
}

/* Returns whether files that are already upright stay unchanged. They do with --in-place, unless an
 * option changes the encoding (--strip, --level, --no-index). */
static bool leaves_upright(const Settings *settings)
{
    return settings->in_place != 0 && settings->engine.strip == 0 &&
           !option_given(settings, "level") && !option_given(settings, "no-index");
}

static ImgStatus do_file(FileWork *work, JobReport *report, ImgError *err)
{
    Run *run = work->run;
    const BatchFile *file = work->file;
    const Batch *batch = run->batch;
    ImgStep steps[IMG_STEPS_MAX];
    memcpy(steps, batch->steps, batch->step_count * sizeof *steps);
    /* with --in-place the output is PNG, whatever the extension of the file */
    static const ImgFileFormat png = IMG_FILE_PNG;
    bool records = batch->settings->no_record == 0;
    if (records && run->records[file->root] == NULL)
        return img_fail(err, run->refusals[file->root],
                        "%s: not replaced, because its directory cannot hold a record",
                        file->input);
    if (!file_state(file->input, &work->before))
        return img_fail(err, img_errno_status(errno), "%s: cannot be opened: %s%s", file->input,
                        strerror(errno), img_errno_remedy(errno));
    Job job = {
        .input = file->input,
        .output = file->output,
        .steps = steps,
        .count = batch->step_count,
        .options = &run->settings.engine,
        .format = batch->settings->in_place ? &png : NULL,
        .place = &work->place,
        .finished = note_finished,
        .finished_context = work,
        .noted = keep_note,
        .noted_context = work,
        .leaves_upright = leaves_upright(batch->settings),
        .optimizes = batch->settings->optimizes != 0,
        .guard = made_files_guard(run->made),
        .replaces_input = batch->settings->in_place != 0,
        .refuses_animation = (batch->settings->in_place != 0 || batch->settings->optimizes != 0) &&
                             batch->settings->force == 0,
        .refuses_dropping = batch->settings->in_place != 0 && batch->settings->force == 0,
    };
    ImgStatus status = img_job_run(&job, report, err);
    if (status == IMG_OK && report->unchanged)
        img_engine_detail(&batch->settings->engine, "%s: unchanged: already upright", file->input);
    else if (status == IMG_OK)
        explain_line(&job, report);
    return status;
}

/* Tries once to process the file. Sets *result to skipped, unchanged, done or failed. */
static void try_file(FileWork *work, BatchResult *result, ImgError *err)
{
    Run *run = work->run;
    const Settings *settings = run->batch->settings;
    const BatchFile *file = work->file;
    *err = (ImgError){IMG_OK, ""};
    *result = (BatchResult){.file = file, .message = ""};
    const char *skipped;
    result->status = skip_reason(settings, run->records[file->root], file, &skipped, err);
    if (skipped != NULL) {
        result->outcome = BATCH_SKIPPED;
        result->message = skipped;
        img_engine_detail(&settings->engine, "%s: skipped: %s", file->input, skipped);
        return;
    }
    if (result->status == IMG_OK)
        result->status = do_file(work, &result->report, err);
    result->outcome = result->status != IMG_OK   ? BATCH_FAILED
                      : result->report.unchanged ? BATCH_UPRIGHT
                                                 : BATCH_DONE;
    result->message = err->message;
    result->notes = work->notes_lost
                        ? "notes are missing here for lack of memory; they were printed"
                        : work->notes;
}

/* With --steal, tries a file again if it failed with IMG_E_TEMPORARY. On a file system without
 * locks across machines, another process may have taken over the file: it considered this process
 * crashed, and removed the temporary file. If that process has finished the file, nothing remains
 * to be done. Otherwise this process processes the file again. */
static void try_again(FileWork *work, BatchResult *result, ImgError *err)
{
    Run *run = work->run;
    if (run->feed == NULL || result->outcome != BATCH_FAILED || result->status != IMG_E_TEMPORARY)
        return;
    img_pool_give_back(work->place.pool, work->place.worker);
    record_read_others(run->records[work->file->root]);
    free(work->notes);
    work->notes = NULL;
    work->notes_lost = false;
    try_file(work, result, err);
}

bool batch_do_file(Run *run, const BatchFile *file, size_t pictures, Pool *pool, int worker)
{
    const Batch *batch = run->batch;
    BatchResult result;
    ImgError err;
    pthread_mutex_lock(&run->mutex);
    run->totals.under_way++;
    pthread_mutex_unlock(&run->mutex);
    FileWork work = {.run = run,
                     .file = file,
                     .place = {.pool = pool,
                               .worker = worker,
                               .devices = run->devices,
                               .team = run->team,
                               .steps = batch->steps,
                               .count = batch->step_count,
                               .pictures = pictures,
                               .writes = true}};
    try_file(&work, &result, &err);
    try_again(&work, &result, &err);
    if (note_result(run, &result, &err))
        img_pool_stop(pool);
    free(work.notes);
    return result.outcome == BATCH_FAILED && exit_may_try_again(result.status);
}

void batch_run_file(void *context, Pool *pool, int worker, size_t turn)
{
    Run *run = context;
    const BatchPlan *plan = run->batch->plan;
    (void)batch_do_file(run, &plan->files[run->order[turn]], plan->count - turn, pool, worker);
}
