#include "app/stats/measure_one.h"

#include <string.h>

#include "app/job/explain.h"
#include "app/job/job.h"
#include "app/job/plan.h"
#include "app/sched/resources.h"
#include "app/stats/picture_counts.h"
#include "app/term/messages.h"
#include "app/text/streams.h"
#include "kernels/core/parallel/clock.h"
#include "kernels/core/params.h"

/* What one file needs. */
typedef struct Work {
    Measurer *measurer;
    Job job; /* for explaining; writes nothing */
    ImgStep step;
    Load load;
    JobReport report;
    Measured *measured;
    int threads; /* for this picture */
} Work;

static ImgStatus load_and_plan(Work *work, ImgError *err)
{
    Measurer *measurer = work->measurer;
    Share share = {.exec = measurer->exec, .team = measurer->team};
    Plan plan = {.peak_bytes = 0};
    ImgStatus status =
        plan_file(&work->load, &work->step, 1, NULL, measurer->place, &share, &plan, err);
    work->threads = share.threads;
    measurer->exec = share.exec;
    measurer->team = share.team;
    work->report.before = work->load.raw;
    work->report.after = plan.after;
    work->report.peak_bytes = plan.peak_bytes + work->load.kept;
    return status;
}

static ImgStatus prepare_exec(Work *work, ImgError *err)
{
    Measurer *measurer = work->measurer;
    if (measurer->place != NULL) {
        img_exec_set_threads(measurer->exec, measurer->team, work->threads);
        return IMG_OK;
    }
    ImgStatus status = IMG_OK;
    work->threads = resources_wanted_threads(measurer->settings);
    if (measurer->exec == NULL) {
        if (measurer->team == NULL) /* else there was no memory for what uses it */
            measurer->team = resources_team(work->report.peak_bytes);
        ImgExecConfig config = {
            .backend = (ImgBackend)measurer->settings->backend,
            .impl = measurer->settings->impl,
            .device = measurer->settings->device,
            .threads = work->threads,
            .team = measurer->team,
        };
        status = img_exec_create(&config, &measurer->exec, err);
    }
    if (status == IMG_OK)
        img_exec_prepare(measurer->exec, &work->step, 1, work->report.before,
                         resources_decode_seconds(work->report.before));
    return status;
}

static ImgStatus check_transparency(const Work *work, const PictureCounts *picture, ImgError *err)
{
    const Tables *tables = &work->measured->tables;
    if (!picture_counts_transparent(picture, tables))
        return IMG_OK;
    if (tables->pixels == 0)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "every pixel is fully transparent, and --skip-transparent leaves none to "
                        "count; leave the option out");
    report_note(work->measurer->settings, "%s: every pixel is fully transparent; all are counted",
                streams_input_name(work->measured->path));
    return IMG_OK;
}

static ImgStatus count(Work *work, ImgError *err)
{
    Measurer *measurer = work->measurer;
    Load *load = &work->load;
    uint64_t unknown;
    PictureCounts picture =
        picture_counts_prepare(&load->image.view, &load->metadata, &measurer->how);
    resources_limit_exec(measurer->exec, &load->limits, load->room);
    ImgStatus status =
        img_exec_run(measurer->exec, &work->step, 1, &load->image, &work->report.run, err);
    if (status == IMG_OK)
        status = picture_counts_finish(&picture, &load->image.view, &work->measured->tables,
                                       &unknown, err);
    if (status == IMG_OK)
        status = check_transparency(work, &picture, err);
    if (status == IMG_OK && unknown > 0)
        report_note(measurer->settings,
                    "%s: pixels without a colour in the palette, counted as black: %llu",
                    streams_input_name(work->measured->path), (unsigned long long)unknown);
    return status;
}

static ImgStatus decode_and_count(Work *work, ImgError *err)
{
    const Measurer *measurer = work->measurer;
    ImgStatus status = load_decode(&work->load, measurer->team, work->threads, err);
    return status == IMG_OK ? load_failure(&work->load, count(work, err), err) : status;
}

static ImgStatus measure(Work *work, ImgError *err)
{
    double start = img_clock();
    ImgStatus status = load_and_plan(work, err);
    if (status == IMG_OK)
        status = load_failure(&work->load, prepare_exec(work, err), err);
    if (status == IMG_OK)
        status = decode_and_count(work, err);
    work->report.load = work->load.report;
    work->report.total = img_clock() - start;
    work->measured->shape = work->load.raw;
    return status;
}

typedef struct Attempt {
    Measurer *measurer;
    const char *path;
    Measured *measured;
} Attempt;

static ImgStatus attempt(void *context, uint64_t least, uint64_t *lacking, ImgError *err)
{
    const Attempt *own = context;
    Measurer *measurer = own->measurer;
    Measured *measured = own->measured;
    *measured = (Measured){.path = own->path, .tables = TABLES_NONE};
    Work work = {.measurer = measurer,
                 .step = {.op = &img_measure_histogram},
                 .load = load_begin(own->path, measurer->settings, false),
                 .measured = measured};
    work.load.held = measurer->held;
    work.load.least = least;
    work.load.begins_anew = measurer->place != NULL;
    work.job =
        (Job){.input = own->path, .steps = &work.step, .count = 1, .settings = measurer->settings};
    memcpy(work.step.params.bytes, &measurer->how, sizeof measurer->how);
    ImgStatus status = measure(&work, err);
    if (status == IMG_OK)
        load_note_damage(&work.load);
    if (status == IMG_OK)
        explain(&work.job, &work.report);
    else
        tables_free(&measured->tables);
    *lacking = status != IMG_OK ? work.load.lacking : 0;
    load_end(&work.load);
    return status;
}

ImgStatus measure_one(Measurer *measurer, const char *path, Measured *measured, ImgError *err)
{
    Attempt own = {measurer, path, measured};
    return place_attempts(measurer->place, attempt, &own, err);
}
