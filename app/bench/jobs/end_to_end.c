#include "app/bench/jobs/end_to_end.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench/jobs/end_to_end_priv.h"
#include "app/cli/pipeline.h"
#include "app/engine/share/resources.h"
#include "kernels/core/parallel/clock.h"
#include "kernels/core/select.h"

/* Reports the progress of the phase `phase`; `share` is the part of it that is done, from 0 to 1.
 * Call it before each file. Returns false if the work was stopped. */
static bool continue_jobs(WholeJobs *jobs, const char *phase, double share)
{
    const EndToEnd *what = jobs->what;
    if (what->progress != NULL)
        what->progress(what->progress_context, phase, share < 1 ? share : 1);
    jobs->stopped |= what->stopped != NULL && what->stopped();
    return !jobs->stopped;
}

/* --- First pass: finds files that fail or give different results, which are not timed --------- */

enum { BLOCK = 1 << 13 }; /* bytes per block; small enough for two blocks on the stack */

static ImgStatus compare_streams(FILE *a, FILE *b, ImgError *err)
{
    uint8_t first[BLOCK], other[BLOCK];
    size_t count;
    do {
        count = fread(first, 1, sizeof first, a);
        if (fread(other, 1, sizeof other, b) != count || memcmp(first, other, count) != 0)
            return img_fail(err, IMG_E_MISMATCH, "the backends wrote different files");
    } while (count > 0);
    return ferror(a) || ferror(b) ? img_fail(err, IMG_E_IO, "the result cannot be read") : IMG_OK;
}

/* Compares the two files that the backends wrote for `input`. Succeeds if fewer than two backends
 * run. */
static ImgStatus compare_outputs(const WholeJobs *jobs, const char *input, ImgError *err)
{
    if (jobs->side_count < 2 || jobs->sides[0].ended || jobs->sides[1].ended)
        return IMG_OK;
    FILE *a = fopen(jobs->sides[0].output, "rbe"), *b = fopen(jobs->sides[1].output, "rbe");
    ImgStatus status = a != NULL && b != NULL
                           ? compare_streams(a, b, err)
                           : img_fail(err, IMG_E_IO, "the result no longer exists");
    if (a != NULL)
        (void)fclose(a);
    if (b != NULL)
        (void)fclose(b);
    if (status != IMG_OK)
        img_error_prefix(err, "%s", input);
    return status;
}

static ImgStatus run_first(Side *side, const char *input, JobReport *report, ImgError *err)
{
    double stages[STAGE_COUNT] = {0};
    if (strcmp(input, "-") == 0)
        return img_fail(err, IMG_E_USAGE,
                        "standard input can be read only once; name files to measure");
    return side_run(side, input, stages, report, err);
}

/* Records the failure of one file in the job of its backend. Returns an error only if the user
 * requested this backend and it is unavailable, because then the backend can process no file. */
static ImgStatus record_failure(const WholeJobs *jobs, Side *side, const ImgError *failure,
                                ImgError *err)
{
    if (failure->status != IMG_E_UNAVAILABLE)
        side_fail(side, failure);
    else if (jobs->what->settings->engine.backend == IMG_BACKEND_AUTO)
        side_skip(side, failure);
    else
        return img_fail(err, failure->status, "%s", failure->message);
    return IMG_OK;
}

static ImgStatus check_file(WholeJobs *jobs, const char *input, ImgError *err)
{
    JobReport reports[2];
    bool good = true;
    for (size_t s = 0; s < jobs->side_count; s++) {
        Side *side = &jobs->sides[s];
        ImgError failure = {IMG_OK, ""};
        if (side->ended || run_first(side, input, &reports[s], &failure) == IMG_OK)
            continue;
        if (record_failure(jobs, side, &failure, err) != IMG_OK)
            return err->status;
        /* If the failure ended the backend, for example a lost GPU, the file itself is not at
         * fault, and stays selected for the other backend. */
        good &= side->ended;
    }
    ImgError difference = {IMG_OK, ""};
    if (good && compare_outputs(jobs, input, &difference) != IMG_OK) {
        side_fail(&jobs->sides[1], &difference);
        if (difference.status == IMG_E_MISMATCH)
            (void)img_fail(&jobs->difference, difference.status, "%s", difference.message);
        good = false;
    }
    if (!good)
        return IMG_OK;
    jobs->good[jobs->good_count++] = input;
    for (size_t s = 0; s < jobs->side_count; s++)
        if (!jobs->sides[s].ended)
            side_add_picture(&jobs->sides[s], &reports[s]);
    return IMG_OK;
}

ImgStatus whole_jobs_check(WholeJobs *jobs, ImgError *err)
{
    size_t count = jobs->what->count;
    ImgStatus status = IMG_OK;
    for (size_t i = 0; status == IMG_OK && i < count; i++) {
        if (!continue_jobs(jobs, "check", (double)i / (double)count))
            break;
        status = check_file(jobs, jobs->what->files[i], err);
    }
    return status;
}

/* --- Timed rounds. An incomplete round gives no sample ---------------------------------------- */

enum { ROUNDS_MIN = 3, COMMAND_FILES = 20, COMMAND_ROUNDS = 3 };

static const double DEFAULT_SECONDS = 2;

static double budget(const WholeJobs *jobs)
{
    return jobs->what->seconds > 0 ? jobs->what->seconds : DEFAULT_SECONDS;
}

/* Runs all files once, and adds the times of their stages to `stages`. Returns false if the work
 * was stopped. Also returns false if a file fails that succeeded in the first pass, for example
 * because the disk is full. */
static bool run_round(WholeJobs *jobs, Side *side, double start, double stages[STAGE_COUNT])
{
    for (size_t i = 0; i < jobs->good_count; i++) {
        ImgError failure = {IMG_OK, ""};
        JobReport report;
        double rounds = (double)side->counts[STAGE_JOB] + (double)i / (double)jobs->good_count;
        double share = fmin(rounds / ROUNDS_MIN, (img_clock() - start) / budget(jobs));
        if (!continue_jobs(jobs, img_backend_name(side->job.backend), share))
            return false;
        if (side_run(side, jobs->good[i], stages, &report, &failure) != IMG_OK) {
            side_fail(side, &failure);
            return false;
        }
        side_add_parts(side, &report.run);
    }
    return true;
}

/* Times whole rounds on one backend, until the time budget of a backend is used, but at least
 * ROUNDS_MIN rounds. */
static void time_rounds(WholeJobs *jobs, Side *side)
{
    double start = img_clock();
    if (side->ended || jobs->good_count == 0)
        return;
    while (side->counts[STAGE_JOB] < ROUNDS_MIN ||
           (side->counts[STAGE_JOB] < SIDE_ROUNDS && img_clock() - start < budget(jobs))) {
        double stages[STAGE_COUNT] = {0};
        if (!run_round(jobs, side, start, stages))
            return;
        side_add_round(side, stages);
    }
}

/* Runs `imgtool run` once for each file. Ctrl-C also interrupts the running command, which does not
 * count as a failure of the command. */
static bool run_commands(WholeJobs *jobs, Side *side, size_t round, double *seconds)
{
    char phase[32];
    snprintf(phase, sizeof phase, "%s command", img_backend_name(side->job.backend));
    *seconds = 0;
    for (size_t i = 0; i < jobs->good_count; i++) {
        ImgError failure = {IMG_OK, ""};
        double rounds = (double)round + (double)i / (double)jobs->good_count, one;
        if (!continue_jobs(jobs, phase, rounds / COMMAND_ROUNDS))
            return false;
        if (side_run_command(side, jobs->what->program, jobs->what->pipeline, jobs->good[i], &one,
                             &failure) != IMG_OK) {
            if (continue_jobs(jobs, phase, rounds / COMMAND_ROUNDS))
                side_fail(side, &failure);
            return false;
        }
        *seconds += one;
    }
    return true;
}

/* Times `imgtool run` as a whole on one backend, in at most COMMAND_ROUNDS rounds. */
static void time_command(WholeJobs *jobs, Side *side)
{
    double start = img_clock(), seconds;
    if (jobs->what->program == NULL || jobs->what->pipeline == NULL || side->ended ||
        jobs->good_count == 0 || jobs->good_count > COMMAND_FILES)
        return;
    for (size_t round = 0; round < COMMAND_ROUNDS; round++) {
        if (round > 0 && img_clock() - start > budget(jobs))
            return;
        if (!run_commands(jobs, side, round, &seconds))
            return;
        side_add_sample(side, STAGE_COMMAND, seconds);
    }
}

/* --- Backends and results --------------------------------------------------------------------- */

ImgStatus bench_create_context(const Settings *settings, double *seconds, ImgError *err)
{
    static const Steps none; /* `none` is static, because it is too large for the stack. */
    Side side;
    *seconds = 0;
    ImgStatus status = side_open(&side, settings, IMG_BACKEND_CUDA, &none, err);
    if (status == IMG_OK)
        status = side_open_device(&side, seconds, err);
    side_close(&side);
    return status;
}

static ImgStatus open_cuda(const WholeJobs *jobs, Side *side, ImgError *err)
{
    double seconds = 0;
    ImgStatus status = side_open(side, jobs->what->settings, IMG_BACKEND_CUDA, &jobs->steps, err);
    if (status == IMG_OK)
        status = side_open_device(side, &seconds, err);
    if (status == IMG_OK)
        side_add_sample(side, STAGE_CONTEXT,
                        jobs->what->context > 0 ? jobs->what->context : seconds);
    return status;
}

/* Adds the CUDA backend. With --backend auto, a missing GPU is not an error. If the GPU cannot run
 * the steps, the job of the backend becomes BENCH_SKIPPED, for example because a step has no
 * implementation for CUDA. */
static ImgStatus add_cuda(WholeJobs *jobs, ImgError *err)
{
    Side *side = &jobs->sides[jobs->side_count];
    ImgError failure = {IMG_OK, ""};
    ImgStatus status = open_cuda(jobs, side, &failure);
    bool is_auto = jobs->what->settings->engine.backend == IMG_BACKEND_AUTO;
    if (status == IMG_E_UNAVAILABLE && is_auto) {
        int count = 0;
        if (img_cuda_devices(NULL, 0, &count, NULL) != IMG_OK || count == 0) {
            side_close(side);
            return IMG_OK;
        }
        side_skip(side, &failure);
        status = IMG_OK;
    }
    jobs->side_count++;
    return status == IMG_OK ? IMG_OK : img_fail(err, status, "%s", failure.message);
}

static ImgStatus add_cpu(WholeJobs *jobs, ImgError *err)
{
    Side *side = &jobs->sides[jobs->side_count++];
    return side_open(side, jobs->what->settings, IMG_BACKEND_CPU, &jobs->steps, err);
}

/* Sets the output path of a backend, "cpu.png" or "cuda.png". Each backend writes its own file, so
 * that the two files can be compared. */
static ImgStatus name_output(WholeJobs *jobs, Side *side, ImgError *err)
{
    char name[16];
    snprintf(name, sizeof name, "%s.png", img_backend_name(side->job.backend));
    return scratch_path(&jobs->scratch, name, &side->output, err);
}

static ImgStatus open_sides(WholeJobs *jobs, ImgError *err)
{
    int32_t backend = jobs->what->settings->engine.backend;
    ImgStatus status = backend != IMG_BACKEND_CUDA ? add_cpu(jobs, err) : IMG_OK;
    if (status == IMG_OK && backend != IMG_BACKEND_CPU)
        status = add_cuda(jobs, err);
    for (size_t s = 0; status == IMG_OK && s < jobs->side_count; s++) {
        Side *side = &jobs->sides[s];
        bench_copy_text(side->job.subject, sizeof side->job.subject, jobs->what->subject);
        status = name_output(jobs, side, err);
    }
    return status;
}

/* Appends the jobs to the report, except jobs that have no result because the work was stopped. */
static ImgStatus finish(WholeJobs *jobs, BenchReport *report, ImgError *err)
{
    ImgStatus status = IMG_OK;
    report->interrupted |= jobs->stopped;
    for (size_t s = 0; status == IMG_OK && s < jobs->side_count; s++) {
        Side *side = &jobs->sides[s];
        bool empty = side->counts[STAGE_JOB] == 0 && side->job.verdict == BENCH_VERIFIED;
        if (!(jobs->stopped && empty))
            status = side_finish(side, report, err);
    }
    if (status == IMG_OK && jobs->difference.status != IMG_OK)
        status = img_fail(err, jobs->difference.status, "%s", jobs->difference.message);
    return status;
}

static ImgStatus run(WholeJobs *jobs, BenchReport *report, ImgError *err)
{
    const EndToEnd *what = jobs->what;
    ImgStatus status = IMG_OK;
    if (what->pipeline != NULL)
        status = pipeline_parse(what->pipeline, jobs->steps.at, &jobs->steps.count, err);
    if (status == IMG_OK)
        status = img_resources_load_step_files(&jobs->files, jobs->steps.at, jobs->steps.count,
                                               &what->settings->engine, err);
    if (status == IMG_OK)
        status = scratch_open(&jobs->scratch, err);
    if (status == IMG_OK)
        status = open_sides(jobs, err);
    if (status == IMG_OK)
        status = whole_jobs_check(jobs, err);
    if (status != IMG_OK)
        return status;
    for (size_t s = 0; s < jobs->side_count && !jobs->stopped; s++) {
        time_rounds(jobs, &jobs->sides[s]);
        if (!jobs->stopped)
            time_command(jobs, &jobs->sides[s]);
    }
    return finish(jobs, report, err);
}

ImgStatus bench_end_to_end(const EndToEnd *what, BenchReport *report, ImgError *err)
{
    ImgStatus status;
    WholeJobs *jobs = calloc(1, sizeof *jobs);
    const char **good = calloc(what->count, sizeof *good);
    if (jobs == NULL || good == NULL) {
        status = img_fail(err, IMG_E_MEMORY, "no memory");
        goto done;
    }
    jobs->what = what;
    jobs->good = good;
    status = run(jobs, report, err);
    for (size_t s = 0; s < 2; s++)
        side_close(&jobs->sides[s]);
    scratch_close(&jobs->scratch);

done:
    free(good);
    img_step_files_free(&jobs->files);
    free(jobs);
    return status;
}
