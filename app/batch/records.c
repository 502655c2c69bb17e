/* The records of a batch: one of OUTPUT_DIR; in place one of each directory, all open and locked to
 * its end. */
#include <stdlib.h>

#include "app/batch/record/skip.h"
#include "app/batch/run_priv.h"
#include "app/batch/steps_text.h"
#include "app/cli/exit_code.h"
#include "app/sched/resources.h"
#include "app/term/messages.h"

ImgStatus batch_check_records(const Run *run, ImgError *err)
{
    size_t roots = run->batch->plan->root_count;
    ImgError failure = {IMG_OK, ""};
    if (run->batch->settings->no_record || roots <= 1 ||
        resources_check_open_files(roots + 1, &failure) == IMG_OK) /* and the report */
        return IMG_OK;
    return img_fail(
        err, failure.status,
        "batch: the files are in %zu directories, each with an open record, and %s; raise that "
        "limit (ulimit -n), name fewer directories at a time, or use --no-record",
        roots, failure.message);
}

/* Of several directories whose files are replaced, one that is closed to us must not stop the
 * others: its files fail. But where another is at work in one of them, a run that begins waits. */
static ImgStatus refuse(Run *run, size_t root, const ImgError *failure, ImgError *err)
{
    const bool may_go_later = exit_may_try_again(failure->status) && !run->settings.resume;
    run->refusals[root] = failure->status;
    if (run->batch->plan->root_count == 1 || may_go_later)
        return img_fail(err, failure->status, "%s", failure->message);
    report_failure(failure);
    return IMG_OK;
}

static ImgStatus open_record(Run *run, size_t root, const char *steps, ImgError *err)
{
    const BatchPlan *plan = run->batch->plan;
    ImgError failure = {IMG_OK, ""};
    if (record_open_shard(plan->roots[root], &plan->shard, record_scope(&run->settings), steps,
                          &run->records[root], &failure) != IMG_OK)
        return refuse(run, root, &failure, err);
    if (run->settings.preserve)
        record_keep_times(run->records[root]);
    return IMG_OK;
}

static ImgStatus forget_outputs(Run *run, ImgError *err)
{
    const BatchPlan *plan = run->batch->plan;
    ImgStatus status = IMG_OK;
    for (size_t i = 0; status == IMG_OK && i < plan->count; i++)
        status = record_forget(run->records[plan->files[i].root], plan->files[i].output, err);
    return status;
}

static size_t count_records(const Run *run, bool (*is_so)(const Record *record))
{
    size_t count = 0;
    for (size_t i = 0; i < run->batch->plan->root_count; i++)
        count += is_so(run->records[i]);
    return count;
}

/* All of them have begun, by `status`. */
static ImgStatus note_begun(Run *run, ImgStatus status, ImgError *err)
{
    for (size_t i = 0; status == IMG_OK && i < run->batch->plan->root_count; i++)
        if (record_is_half_begun(run->records[i]))
            status = record_note_begun(run->records[i], err);
    return status;
}

/* Once all are open that can be, so that whoever is refused has begun nowhere. A failure stops all:
 * what has not begun would be taken for finished by whoever continues. */
static ImgStatus begin_records(Run *run, ImgError *err)
{
    ImgStatus status = forget_outputs(run, err);
    bool told = count_records(run, record_is_half_begun) > 0;
    bool several = count_records(run, record_has_to_begin) > 1;
    for (size_t i = 0; status == IMG_OK && i < run->batch->plan->root_count; i++) {
        if (record_has_to_begin(run->records[i])) {
            status = record_begin(run->records[i], several && !told, err);
            told = true;
        }
        record_drop_others(run->records[i]);
    }
    return note_begun(run, status, err);
}

/* One that continues a run which was killed while it began. */
static ImgStatus begin_again(Run *run, ImgError *err)
{
    const BatchPlan *plan = run->batch->plan;
    for (size_t i = 0; i < plan->root_count; i++)
        if (run->records[i] == NULL)
            return img_fail(err, run->refusals[i],
                            "%s: the record cannot be written, and the earlier run stopped while "
                            "it created the records of all directories",
                            plan->roots[i]);
    return begin_records(run, err);
}

/* Before any file is done: with other steps it would be done twice, and the rest by these. */
static ImgStatus check_steps(const Run *run, ImgError *err)
{
    const BatchPlan *plan = run->batch->plan;
    ImgStatus status = IMG_OK;
    for (size_t i = 0; status == IMG_OK && i < plan->count; i++)
        status = skip_check_steps(run->batch->settings, run->records[plan->files[i].root],
                                  &plan->files[i], err);
    return status;
}

static ImgStatus begin_where_needed(Run *run, ImgError *err)
{
    const Settings *settings = run->batch->settings;
    if (!settings->in_place || settings->no_record)
        return IMG_OK;
    if (!settings->resume)
        return begin_records(run, err);
    return count_records(run, record_is_half_begun) > 0 ? begin_again(run, err)
                                                        : check_steps(run, err);
}

ImgStatus batch_open_records(Run *run, ImgError *err)
{
    const BatchPlan *plan = run->batch->plan;
    const Settings *settings = run->batch->settings;
    char *steps = steps_text(run->batch->steps, run->batch->step_count, &run->settings);
    run->records = calloc(plan->root_count + 1, sizeof(Record *)); /* roots may be none */
    run->refusals = calloc(plan->root_count + 1, sizeof *run->refusals);
    ImgStatus status = IMG_OK;
    if (steps == NULL || run->records == NULL || run->refusals == NULL)
        status = img_fail(err, IMG_E_MEMORY, "no memory");
    for (size_t i = 0; status == IMG_OK && i < plan->root_count && !settings->no_record; i++)
        status = open_record(run, i, steps, err);
    if (status == IMG_OK)
        status = begin_where_needed(run, err);
    free(steps);
    return status;
}

int batch_close_records(Run *run)
{
    int code = CLI_OK;
    for (size_t i = 0; run->records != NULL && i < run->batch->plan->root_count; i++) {
        ImgError err = {IMG_OK, ""};
        if (record_close(run->records[i], &err) != IMG_OK)
            code = batch_code_of(&err);
    }
    free(run->records);
    free(run->refusals);
    return code;
}
