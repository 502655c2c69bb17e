/* Runs a batch. The thread pool runs one job per file. The thread that finishes a file updates the
 * record, the report and the totals, while it holds a mutex. */
#include <signal.h>
#include <stdlib.h>

#include "app/batch/batch.h"
#include "app/batch/batch_priv.h"
#include "app/batch/plan/batch_plan.h"
#include "app/batch/record/skip.h"
#include "app/batch/report/progress.h"
#include "app/cli/exit_code.h"
#include "app/engine/share/machine.h"
#include "app/engine/share/resources.h"
#include "app/term/interrupt.h"
#include "app/term/messages.h"
#include "app/text/amounts.h"
#include "kernels/core/parallel/clock.h"
#include "kernels/core/parallel/lock.h"

/* Prints the error. Returns the exit code for it, which is CLI_TRY_AGAIN if a later run may
 * succeed. */
static int code_of(const ImgError *err)
{
    int code = report_failure(err);
    return exit_may_try_again(err->status) ? CLI_TRY_AGAIN : code;
}

/* --- Records ------------------------------------------------------------------------------------
 *
 * A record lists the finished outputs of one directory. A batch has one record in OUTPUT_DIR or,
 * with --in-place, one in each directory with outputs. All records stay open and locked until the
 * end. */

/* Checks that the limit of open files allows all records to be open at the same time. Fails with
 * IMG_E_LIMIT if it does not. Called before anything is written. */
static ImgStatus check_records(const Run *run, ImgError *err)
{
    size_t roots = run->batch->plan->root_count;
    ImgError failure = {IMG_OK, ""};
    /* + 1 for the file of the report (--report), which is open as well. */
    if (run->batch->settings->no_record || roots <= 1 ||
        img_resources_check_open_files(roots + 1, &failure) == IMG_OK)
        return IMG_OK;
    return img_fail(
        err, failure.status,
        "batch: the files are in %zu directories, each with an open record, and %s; raise that "
        "limit (ulimit -n), name fewer directories at a time, or use --no-record",
        roots, failure.message);
}

/* Handles `failure`, the reason why the record of directory number `root` could not be opened.
 * Fails if the batch has only this directory. Also fails if another batch holds the lock of the
 * record and --resume is not given. Otherwise prints the failure, and only the files of this
 * directory fail. */
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
    if (run->settings.engine.preserve)
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

/* Appends a line to each record that says that a start is in progress; the line says that the start
 * of the run is complete. Does nothing if `status` is a failure. */
static ImgStatus note_begun(Run *run, ImgStatus status, ImgError *err)
{
    for (size_t i = 0; status == IMG_OK && i < run->batch->plan->root_count; i++)
        if (record_is_half_begun(run->records[i]))
            status = record_note_begun(run->records[i], err);
    return status;
}

/* Starts a new run in all records, so that their files count as unfinished. Call it after all
 * records were opened, so that a rejected run changes no record. If it fails, the batch must stop,
 * because some records still have the lines of an earlier run. A later --resume would skip their
 * files. */
static ImgStatus begin_records(Run *run, ImgError *err)
{
    ImgStatus status = forget_outputs(run, err);
    bool noted = count_records(run, record_is_half_begun) > 0;
    bool several = count_records(run, record_has_to_begin) > 1;
    for (size_t i = 0; status == IMG_OK && i < run->batch->plan->root_count; i++) {
        if (record_has_to_begin(run->records[i])) {
            status = record_begin(run->records[i], several && !noted, err);
            noted = true;
        }
        record_drop_others(run->records[i]);
    }
    return note_begun(run, status, err);
}

/* Starts the run in all records again, after an earlier run was killed while it started. Fails if a
 * record could not be opened. */
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

/* Fails if an earlier run with other steps has replaced a file of the batch, since this run would
 * process that file a second time. Called before any file is processed. */
static ImgStatus check_steps(const Run *run, ImgError *err)
{
    const BatchPlan *plan = run->batch->plan;
    ImgStatus status = IMG_OK;
    for (size_t i = 0; status == IMG_OK && i < plan->count; i++)
        status = skip_check_steps(run->batch->settings, run->records[plan->files[i].root],
                                  &plan->files[i], err);
    return status;
}

static ImgStatus begin_run(Run *run, ImgError *err)
{
    const Settings *settings = run->batch->settings;
    if (!settings->in_place || settings->no_record)
        return IMG_OK;
    if (!settings->resume)
        return begin_records(run, err);
    return count_records(run, record_is_half_begun) > 0 ? begin_again(run, err)
                                                        : check_steps(run, err);
}

/* Opens the record of each root (a root is a directory with a record). With --in-place and without
 * --resume, starts a new run in each record. If one of several records cannot be opened, the
 * failure is reported and the files below its root fail. */
static ImgStatus open_records(Run *run, ImgError *err)
{
    const BatchPlan *plan = run->batch->plan;
    const Settings *settings = run->batch->settings;
    char *steps = steps_text(run->batch->steps, run->batch->step_count, &run->settings);
    /* + 1, since calloc may return NULL for 0 elements, which would look like a lack of memory. */
    run->records = calloc(plan->root_count + 1, sizeof(Record *));
    run->refusals = calloc(plan->root_count + 1, sizeof *run->refusals);
    ImgStatus status = IMG_OK;
    if (steps == NULL || run->records == NULL || run->refusals == NULL)
        status = img_fail(err, IMG_E_MEMORY, "no memory");
    for (size_t i = 0; status == IMG_OK && i < plan->root_count && !settings->no_record; i++)
        status = open_record(run, i, steps, err);
    if (status == IMG_OK)
        status = begin_run(run, err);
    free(steps);
    return status;
}

/* Closes the records and reports failures. Returns the exit code of the last failure, or CLI_OK. */
static int close_records(Run *run)
{
    int code = CLI_OK;
    for (size_t i = 0; run->records != NULL && i < run->batch->plan->root_count; i++) {
        ImgError err = {IMG_OK, ""};
        if (record_close(run->records[i], &err) != IMG_OK)
            code = code_of(&err);
    }
    free(run->records);
    free(run->refusals);
    return code;
}

/* --- The grace period ---------------------------------------------------------------------------
 *
 * Job schedulers send SIGTERM to a process and, after a grace period, SIGKILL. Before SIGKILL each
 * file in progress must be finished, or cancelled and its temporary file removed. */

/* default grace period in seconds; Slurm (KillWait) and Kubernetes send SIGKILL after 30 s */
enum { USUAL_GRACE = 25 };

/* Ends the program by SIGTERM if that signal arrived longer ago than the grace period (--grace).
 * Files in progress are cancelled, and claims on files are released. Must be called at short
 * intervals. */
static void check_grace(Run *run)
{
    uint64_t grace = USUAL_GRACE;
    const char *text = run->batch->settings->grace;
    double seconds;
    if (interrupt_signal(&seconds) != SIGTERM)
        return;
    if (text != NULL && img_amount_parse_seconds(text, &grace, NULL) != IMG_OK)
        grace = USUAL_GRACE; /* unreachable: the text of --grace was checked earlier */
    if (seconds < (double)grace)
        return;
    img_engine_note(&run->batch->settings->engine,
                    "SIGTERM %.0f s ago: files in progress are cancelled; --resume continues",
                    seconds);
    if (run->feed != NULL)
        feed_release_all(run->feed);
    interrupt_finish();
}

/* --- The run ---------------------------------------------------------------------------------- */

static bool watch(void *context)
{
    Run *run = context;
    img_device_pool_report_lost(run->devices);
    check_grace(run);
    if (run->feed != NULL)
        feed_send_heartbeat(run->feed);
    pthread_mutex_lock(&run->mutex);
    if (run->feed != NULL)
        run->totals.files = feed_count(run->feed);
    BatchTotals totals = run->totals;
    pthread_mutex_unlock(&run->mutex);
    bool asked = interrupt_requested();
    progress_show(run->progress, &totals, asked);
    return !asked;
}

static ImgStatus check_report(const Batch *batch, ImgError *err)
{
    const char *report = batch->settings->report_file;
    if (report == NULL)
        return IMG_OK;
    ImgStatus status = report_file_check(report, batch->plan, batch->settings->engine.backup, err);
    if (status == IMG_OK)
        status =
            report_file_check_read(report, batch->settings, batch->steps, batch->step_count, err);
    if (status == IMG_OK)
        status = report_file_check_part(report, &batch->plan->shard, err);
    if (status != IMG_OK)
        img_error_prefix(err, "batch");
    return status;
}

/* Creates the directories of the outputs. The path of the report is checked before that, so that a
 * wrong path creates nothing. It is checked again afterwards, because the report may be in a
 * directory that is created here. */
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
    ImgStatus status = check_records(run, err);
    if (status == IMG_OK && !settings->in_place && (run->made = made_files_create()) == NULL)
        status = img_fail(err, IMG_E_MEMORY, "no memory for a list of the outputs");
    if (status == IMG_OK)
        status = create_directories(run, err);
    if (status == IMG_OK)
        status = open_records(run, err);
    if (status == IMG_OK) {
        size_t removed = leftovers_remove(plan);
        if (removed > 0)
            img_engine_note(&settings->engine, "%zu unfinished file%s of an earlier run removed",
                            removed, removed == 1 ? "" : "s");
    }
    if (status == IMG_OK && settings->report_file != NULL)
        status = report_file_open(settings->report_file, &run->report_file, err);
    if (status == IMG_OK && run->report_file != NULL)
        status = report_file_add_errors(run->report_file, plan, err);
    if (status == IMG_OK)
        status = img_device_pool_create(&settings->engine, run->workers, &run->devices, err);
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

/* Writes the summary line of the report. Does nothing if writing the report failed earlier. */
static void end_report(Run *run, const BatchEnd *end)
{
    ImgError err = {IMG_OK, ""};
    if (run->report_file == NULL || run->report_is_lost ||
        report_file_end(run->report_file, end, &err) == IMG_OK)
        return;
    report_failure(&err);
    run->report_is_lost = true;
    run->fatal = err.status;
}

/* Returns the memory limit, in bytes, for all pictures in progress together: --max-memory minus the
 * memory that the files loaded by the steps, such as masks, occupy. */
static uint64_t memory_of(const Run *run)
{
    const uint64_t all = run->settings.engine.max_memory;
    const uint64_t held = img_steps_held(run->batch->steps, run->batch->step_count);
    return all > held ? all - held : 1;
}

/* With --in-place, --resume and --strip, prints a note that finished files keep the metadata that
 * the earlier run wrote, even if its --strip was different. */
static void note_kept_metadata(const Run *run)
{
    const Settings *settings = &run->settings;
    const size_t skipped = run->totals.skipped;
    if (settings->in_place && settings->resume && option_given(settings, "strip") && skipped > 0)
        img_engine_note(&settings->engine,
                        "%zu finished file%s as the earlier run wrote %s, whatever its --strip was",
                        skipped, skipped == 1 ? " stays" : "s stay", skipped == 1 ? "it" : "them");
}

/* With --quiet-unless-failed: if the batch failed, enables normal messages from here on. Called
 * after the worker threads have ended, because it changes the settings. */
static void print_more_if_failed(Run *run)
{
    if (run->settings.engine.verbosity == VERBOSITY_UNLESS_FAILED &&
        (exit_code(run) != CLI_OK || interrupt_requested()))
        run->settings.engine.verbosity = VERBOSITY_NORMAL;
}

static void work_through(Run *run)
{
    double start = img_clock();
    run->team = img_resources_batch_team();
    PoolConfig config = {
        .team = run->team,
        .jobs = run->jobs,
        .workers = run->workers,
        .at_work = img_resources_jobs_at_work(&run->batch->settings->engine),
        .memory = memory_of(run),
        .count = run->feed != NULL ? SIZE_MAX : run->batch->plan->count,
        .work = run->feed != NULL ? batch_steal_file : batch_run_file,
        .watch = watch,
        .context = run,
    };
    run->progress = progress_start(run->batch->settings);
    run->totals.files = run->batch->plan->count;
    PoolReport report = img_pool_run(&config);
    progress_end(run->progress);
    const BatchPlan *plan = run->batch->plan;
    BatchEnd end = {.totals = &run->totals,
                    .inputs_failed = plan->failures,
                    .interrupted = interrupt_requested(),
                    .seconds = img_clock() - start,
                    .memory_limit = run->settings.engine.max_memory,
                    .memory_most = report.memory_most,
                    .part = {plan->shard.index + 1, plan->shard.count},
                    .steals = run->batch->settings->steal != NULL,
                    .recorded = run->settings.no_record == 0,
                    .unsearched = plan->unsearched,
                    .other_pictures = plan->other_pictures};
    end_report(run, &end);
    print_more_if_failed(run);
    img_resources_explain_refused(&run->settings.engine, run->team);
    notes_print(&run->notes, &run->settings);
    batch_note_unstarted(run);
    note_kept_metadata(run);
    end.memory_limit = config.memory; /* without the memory that files of steps occupy */
    batch_print_summary(&run->settings, &end);
}

static void clean_up(Run *run)
{
    notes_free(&run->notes);
    made_files_free(run->made);
    free(run->order);
    img_device_pool_free(run->devices);
    img_team_free(run->team);
    pthread_mutex_destroy(&run->mutex);
}

/* Ends a batch that has no files: writes an empty report (--report), and returns the exit code. The
 * reason was printed earlier. No directory is created. */
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
    run.settings.engine.only_files = true;
    img_lock_init(&run.mutex);
    img_machine_remember(false); /* otherwise each picture would read the limits again */
    run.settings.engine.max_memory = img_resources_batch_memory(&batch->settings->engine);
    /* The number of other files that stay open during the batch: the records, plus 1 for the
     * report. */
    const size_t held = batch->plan->root_count + 1;
    run.jobs = img_resources_jobs_with_gpu(&batch->settings->engine, held);
    run.workers = img_resources_workers(&batch->settings->engine, run.jobs, held);
    img_resources_keep_memory(&batch->settings->engine, run.settings.engine.max_memory, run.jobs);
    int code = CLI_OK;
    if (set_up(&run, &err) == IMG_OK) {
        work_through(&run);
        code = exit_code(&run);
    } else {
        code = code_of(&err);
    }
    if (report_file_close(&run.report_file, &late) != IMG_OK && !run.report_is_lost)
        code = code_of(&late);
    feed_close(run.feed);
    int records = close_records(&run);
    clean_up(&run);
    return code == CLI_OK ? records : code;
}
