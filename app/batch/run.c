/* The files of a batch go through a pool; each is one job of its own. Records, report and totals
 * are kept by whoever finishes a file, one at a time. */
#include <stdlib.h>

#include "app/batch/leftovers.h"
#include "app/batch/order.h"
#include "app/batch/plan/directories.h"
#include "app/batch/report/progress_text.h"
#include "app/batch/run_priv.h"
#include "app/cli/exit_code.h"
#include "app/sched/resources.h"
#include "app/term/interrupt.h"
#include "app/term/messages.h"
#include "kernels/core/parallel/clock.h"

static bool watch(void *context)
{
    Run *run = context;
    device_pool_report_lost(run->devices);
    batch_check_grace(run);
    if (run->feed != NULL)
        feed_beat(run->feed);
    pthread_mutex_lock(&run->mutex);
    if (run->feed != NULL)
        run->totals.files = feed_count(run->feed);
    BatchTotals totals = run->totals;
    pthread_mutex_unlock(&run->mutex);
    bool asked = interrupt_asked();
    progress_show(run->progress, &totals, asked);
    return !asked;
}

static ImgStatus check_report(const Batch *batch, ImgError *err)
{
    const char *report = batch->settings->report_file;
    if (report == NULL)
        return IMG_OK;
    ImgStatus status = report_file_check(report, batch->plan, batch->settings->backup, err);
    if (status == IMG_OK)
        status =
            report_file_check_read(report, batch->settings, batch->steps, batch->step_count, err);
    if (status == IMG_OK)
        status = report_file_check_part(report, &batch->plan->shard, err);
    if (status != IMG_OK)
        img_error_prefix(err, "batch");
    return status;
}

/* The report is checked before anything is created, and again: it may lie in what was created. */
static ImgStatus create_directories(const Run *run, ImgError *err)
{
    const BatchPlan *plan = run->batch->plan;
    ImgStatus status = check_report(run->batch, err);
    if (status == IMG_OK)
        status = directories_create(plan, err);
    if (status == IMG_OK)
        status = check_report(run->batch, err);
    return status;
}

static ImgStatus set_up(Run *run, ImgError *err)
{
    const BatchPlan *plan = run->batch->plan;
    const Settings *settings = run->batch->settings;
    ImgStatus status = batch_check_records(run, err);
    if (status == IMG_OK && !settings->in_place && (run->made = made_files_create()) == NULL)
        status = img_fail(err, IMG_E_MEMORY, "no memory for a list of the outputs");
    if (status == IMG_OK)
        status = create_directories(run, err);
    if (status == IMG_OK)
        status = batch_open_records(run, err);
    if (status == IMG_OK) {
        size_t removed = leftovers_remove(plan);
        if (removed > 0)
            report_note(settings, "%zu unfinished file%s of an earlier run removed", removed,
                        removed == 1 ? "" : "s");
    }
    if (status == IMG_OK && settings->report_file != NULL)
        status = report_file_open(settings->report_file, &run->report_file, err);
    if (status == IMG_OK && run->report_file != NULL)
        status = report_file_add_errors(run->report_file, plan, err);
    if (status == IMG_OK)
        status = device_pool_create(settings, run->jobs, &run->devices, err);
    if (status == IMG_OK && settings->steal != NULL)
        return batch_open_feed(run, err);
    if (status == IMG_OK && (run->order = batch_order(plan)) == NULL)
        status = img_fail(err, IMG_E_MEMORY, "no memory for the list of files");
    return status;
}

static int exit_code(const Run *run)
{
    if (run->may_try_again > 0 || exit_may_try_again(run->fatal))
        return CLI_TRY_AGAIN;
    if (run->fatal != IMG_OK)
        return exit_code_of(run->fatal);
    if (run->totals.failed > 0)
        return CLI_SOME_FAILED;
    return run->batch->plan->failures > 0 ? CLI_SOME_FAILED : CLI_OK;
}

/* Where the report was lost, that was reported. */
static void end_report(Run *run, double seconds, uint64_t memory_most)
{
    ImgError err = {IMG_OK, ""};
    if (run->report_file == NULL || run->report_is_lost)
        return;
    const Shard *shard = &run->batch->plan->shard;
    ReportEnd end = {.totals = &run->totals,
                     .inputs_failed = run->batch->plan->failures,
                     .interrupted = interrupt_asked(),
                     .part = {shard->index + 1, shard->count},
                     .steals = run->batch->settings->steal != NULL,
                     .seconds = seconds,
                     .memory_limit = run->settings.max_memory,
                     .memory_most = memory_most};
    if (report_file_end(run->report_file, &end, &err) == IMG_OK)
        return;
    report_failure(&err);
    run->report_is_lost = true;
    run->fatal = err.status;
}

/* For all pictures together, beside what the steps have. */
static uint64_t memory_of(const Run *run)
{
    const uint64_t all = run->settings.max_memory;
    const uint64_t held = img_steps_held(run->batch->steps, run->batch->step_count);
    return all > held ? all - held : 1;
}

/* In place a finished file stays as it is, also where an earlier run has kept more metadata. */
static void note_kept_metadata(const Run *run)
{
    const Settings *settings = &run->settings;
    const size_t skipped = run->totals.skipped;
    if (settings->in_place && settings->resume && option_given(settings, "strip") && skipped > 0)
        report_note(settings,
                    "%zu finished file%s as the earlier run wrote %s, whatever its --strip was",
                    skipped, skipped == 1 ? " stays" : "s stay", skipped == 1 ? "it" : "them");
}

/* --quiet-unless-failed: from here on as much is said as by default. No other thread is at work. */
static void speak_of_failures(Run *run)
{
    if (run->settings.verbosity == VERBOSITY_UNLESS_FAILED &&
        (exit_code(run) != CLI_OK || interrupt_asked()))
        run->settings.verbosity = VERBOSITY_NORMAL;
}

static void work_through(Run *run)
{
    double start = img_clock();
    run->team = resources_batch_team();
    PoolConfig config = {
        .team = run->team,
        .jobs = run->jobs,
        .memory = memory_of(run),
        .count = run->feed != NULL ? SIZE_MAX : run->batch->plan->count,
        .work = run->feed != NULL ? batch_steal_file : batch_run_file,
        .watch = watch,
        .context = run,
    };
    run->progress = progress_start(run->batch->settings);
    run->totals.files = run->batch->plan->count;
    PoolReport report = pool_run(&config);
    progress_end(run->progress);
    double seconds = img_clock() - start;
    end_report(run, seconds, report.memory_most);
    speak_of_failures(run);
    const Settings *settings = &run->settings;
    resources_explain_refused(settings, run->team);
    notes_print(&run->notes, settings);
    batch_note_unbegun(run);
    note_kept_metadata(run);
    BatchSummary summary = {.totals = &run->totals,
                            .seconds = seconds,
                            .memory_limit = config.memory,
                            .memory_most = report.memory_most,
                            .unlisted = run->batch->plan->failures,
                            .unsearched = run->batch->plan->unsearched,
                            .other_pictures = run->batch->plan->other_pictures,
                            .interrupted = interrupt_asked(),
                            .recorded = run->settings.no_record == 0};
    batch_print_summary(settings, &summary);
}

int batch_code_of(const ImgError *err)
{
    int code = report_failure(err);
    return exit_may_try_again(err->status) ? CLI_TRY_AGAIN : code;
}

static void clean_up(Run *run)
{
    notes_free(&run->notes);
    made_files_free(run->made);
    free(run->order);
    device_pool_free(run->devices);
    img_team_free(run->team);
    pthread_mutex_destroy(&run->mutex);
}

/* Without any file the reason was reported; no directory is to be left for that. */
static int run_nothing(const Batch *batch)
{
    ImgError err = {IMG_OK, ""};
    const char *report = batch->settings->report_file;
    if (report != NULL && (check_report(batch, &err) != IMG_OK ||
                           report_file_write_empty(report, batch->plan, &err) != IMG_OK))
        return report_failure(&err);
    return batch->plan->failures > 0 ? CLI_SOME_FAILED : CLI_OK;
}

int batch_run(const Batch *batch)
{
    if (batch->plan->count + batch->plan->others == 0)
        return run_nothing(batch);
    ImgError err = {IMG_OK, ""}, late = {IMG_OK, ""};
    Run run = {.batch = batch, .settings = *batch->settings};
    run.settings.only_files = true;
    pthread_mutex_init(&run.mutex, NULL);
    run.settings.max_memory = resources_batch_memory(batch->settings);
    run.jobs =
        resources_jobs_with_gpu(batch->settings, batch->plan->root_count + 1); /* and the report */
    resources_keep_memory(batch->settings, run.settings.max_memory, run.jobs);
    int code = CLI_OK;
    if (set_up(&run, &err) == IMG_OK) {
        work_through(&run);
        code = exit_code(&run);
    } else {
        code = batch_code_of(&err);
    }
    if (report_file_close(&run.report_file, &late) != IMG_OK && !run.report_is_lost)
        code = batch_code_of(&late);
    feed_close(run.feed);
    int records = batch_close_records(&run);
    clean_up(&run);
    return code == CLI_OK ? records : code;
}
