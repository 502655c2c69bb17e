#include "app/bench/jobs/end_to_end.h"
#include "app/sched/resources.h"

#include <stdio.h>
#include <stdlib.h>

#include "app/bench/jobs/end_to_end_priv.h"
#include "app/cli/pipeline.h"
#include "kernels/core/select.h"

bool whole_jobs_go_on(WholeJobs *jobs, const char *phase, double share)
{
    const EndToEnd *what = jobs->what;
    if (what->progress != NULL)
        what->progress(what->progress_context, phase, share < 1 ? share : 1);
    jobs->stopped |= what->stopped != NULL && what->stopped();
    return !jobs->stopped;
}

ImgStatus bench_create_context(const Settings *settings, double *seconds, ImgError *err)
{
    static const Steps none; /* large, for a stack */
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

/* `auto` is content without a device, but reports where one lacks an implementation. */
static ImgStatus add_cuda(WholeJobs *jobs, ImgError *err)
{
    Side *side = &jobs->sides[jobs->side_count];
    ImgError failure = {IMG_OK, ""};
    ImgStatus status = open_cuda(jobs, side, &failure);
    bool is_auto = jobs->what->settings->backend == IMG_BACKEND_AUTO;
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

/* Each writes a PNG file of its own, so that they can be compared: "cpu.png", "cuda.png". */
static ImgStatus name_output(WholeJobs *jobs, Side *side, ImgError *err)
{
    char name[16];
    snprintf(name, sizeof name, "%s.png", img_backend_name(side->job.backend));
    return scratch_path(&jobs->scratch, name, &side->output, err);
}

static ImgStatus open_sides(WholeJobs *jobs, ImgError *err)
{
    int32_t backend = jobs->what->settings->backend;
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

/* What was stopped before it had results is left out. */
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
        status = resources_load_step_files(&jobs->files, jobs->steps.at, jobs->steps.count,
                                           what->settings, err);
    if (status == IMG_OK)
        status = scratch_open(&jobs->scratch, err);
    if (status == IMG_OK)
        status = open_sides(jobs, err);
    if (status == IMG_OK)
        status = whole_jobs_check(jobs, err);
    if (status != IMG_OK)
        return status;
    for (size_t s = 0; s < jobs->side_count && !jobs->stopped; s++) {
        whole_jobs_time(jobs, &jobs->sides[s]);
        if (!jobs->stopped)
            whole_jobs_time_command(jobs, &jobs->sides[s]);
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
