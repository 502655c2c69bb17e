#include "app/measure_one.h"

#include <string.h>

#include "app/explain.h"
#include "app/job.h"
#include "app/picture_counts.h"
#include "app/report.h"
#include "app/resources.h"
#include "io/source.h"
#include "kernels/core/params.h"

/* What one file needs. */
typedef struct Work {
    Measurer *measurer;
    Job job; /* for explaining; writes nothing */
    ImgStep step;
    JobReport report;
    ImgSource *source;
    ImgImage image;
    Measured *measured;
    int threads; /* for this picture, where it was admitted */
} Work;

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The first bytes, then room for the rest. */
static ImgStatus open_source(Work *work, const char *path, ImgError *err)
{
    Measurer *measurer = work->measurer;
    ImgStatus status = img_source_open(path, &measurer->limits, &work->source, err);
    if (status != IMG_OK || measurer->admit == NULL)
        return status;
    ImgShape shape = img_source_shape(work->source);
    size_t pixels = 0;
    (void)img_shape_bytes(shape, &pixels, NULL);
    uint64_t bytes =
        resources_file_bytes(path) + pixels + resources_codec_bytes(measurer->settings, 1);
    JobShare share = {1, NULL};
    status = measurer->admit(measurer->admit_context, shape, bytes, &share, err);
    work->threads = share.threads;
    measurer->exec = share.exec;
    return status;
}

static ImgStatus read_and_plan(Work *work, const char *path, ImgError *err)
{
    JobReport *report = &work->report;
    const ImgLimits *limits = &work->measurer->limits;
    const ImgFacts no_facts = {0};
    uint64_t running;
    size_t pixels;
    double start = img_clock();
    ImgStatus status = open_source(work, path, err);
    if (status == IMG_OK)
        status = img_source_load(work->source, err);
    report->read = img_clock() - start;
    if (status != IMG_OK)
        return status;
    report->before = img_source_shape(work->source);
    report->bytes_read = img_source_bytes(work->source);
    status =
        img_steps_plan(&work->step, 1, report->before, &no_facts, &report->after, &running, err);
    if (status == IMG_OK)
        status = img_shape_bytes(report->before, &pixels, err);
    if (status != IMG_OK)
        return status;
    report->peak_bytes = larger(running, report->bytes_read + pixels);
    return resources_check_memory(report->before, report->peak_bytes, limits, err);
}

/* Threads are tried for the first picture that uses any. From then on they exist, and a trial would
 * count them as refused. */
static int choose_threads(Work *work)
{
    Measurer *measurer = work->measurer;
    if (measurer->tried)
        return measurer->threads;
    uint64_t traffic = img_measure_histogram.traffic(work->report.before, &measurer->how);
    if (!resources_use_threads(traffic))
        return resources_wanted_threads(measurer->settings);
    measurer->tried = true;
    return resources_try_threads(measurer->settings, work->report.peak_bytes,
                                 &work->report.threads_refused);
}

static ImgStatus prepare_exec(Work *work, ImgError *err)
{
    Measurer *measurer = work->measurer;
    if (measurer->admit != NULL) {
        img_exec_set_threads(measurer->exec, work->threads);
        return IMG_OK;
    }
    int threads = choose_threads(work);
    ImgStatus status = IMG_OK;
    if (measurer->exec == NULL || threads != measurer->threads) {
        ImgExecConfig config = {
            .backend = (ImgBackend)measurer->settings->backend,
            .impl = measurer->settings->impl,
            .device = measurer->settings->device,
            .threads = threads,
        };
        img_exec_destroy(measurer->exec);
        status = img_exec_create(&config, &measurer->exec, err);
        measurer->threads = threads;
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
                        "every pixel is wholly transparent, so that --skip-transparent leaves "
                        "none to count; leave the option out to count them all");
    report_note(work->measurer->settings, "%s: every pixel is wholly transparent; all are counted",
                report_input_name(work->measured->path));
    return IMG_OK;
}

static ImgStatus decode_and_count(Work *work, ImgError *err)
{
    JobReport *report = &work->report;
    Measurer *measurer = work->measurer;
    double start = img_clock();
    int wanted =
        measurer->admit != NULL ? work->threads : resources_wanted_threads(measurer->settings);
    ImgPngDecodeOptions how = {
        .threads = resources_decode_threads(measurer->settings, work->source, wanted)};
    ImgStatus status = img_source_decode(work->source, &how, &work->image, &report->decoding, err);
    report->decode = img_clock() - start;
    if (status != IMG_OK)
        return status;
    PictureCounts picture = picture_counts_prepare(
        &work->image.view, img_source_metadata(work->source), &measurer->how);
    status = img_exec_run(measurer->exec, &work->step, 1, &work->image, &report->run, err);
    if (status != IMG_OK)
        return status;
    uint64_t unknown;
    status =
        picture_counts_finish(&picture, &work->image.view, &work->measured->tables, &unknown, err);
    if (status == IMG_OK)
        status = check_transparency(work, &picture, err);
    if (status == IMG_OK && unknown > 0)
        report_note(measurer->settings,
                    "%s: pixels without a colour in the palette, counted as black: %llu",
                    report_input_name(work->measured->path), (unsigned long long)unknown);
    return status;
}

static ImgStatus measure(Work *work, ImgError *err)
{
    const char *path = work->measured->path;
    double start = img_clock();
    ImgStatus status = read_and_plan(work, path, err);
    if (status == IMG_OK)
        status = prepare_exec(work, err);
    if (status == IMG_OK)
        status = decode_and_count(work, err);
    work->report.total = img_clock() - start;
    work->measured->shape = work->report.before;
    return status;
}

ImgStatus measure_one(Measurer *measurer, const char *path, Measured *measured, ImgError *err)
{
    *measured = (Measured){.path = path, .tables = TABLES_NONE};
    Work work = {.measurer = measurer,
                 .step = {.op = &img_measure_histogram},
                 .image = IMG_IMAGE_NONE,
                 .measured = measured};
    work.job =
        (Job){.input = path, .steps = &work.step, .count = 1, .settings = measurer->settings};
    memcpy(work.step.params.bytes, &measurer->how, sizeof measurer->how);
    ImgStatus status = measure(&work, err);
    if (status == IMG_OK)
        explain(&work.job, &work.report);
    /* A backend that cannot be had is no fault of the file. */
    else if (status != IMG_E_UNAVAILABLE)
        img_error_prefix(err, "%s", report_input_name(path));
    if (status != IMG_OK)
        tables_free(&measured->tables);
    img_image_free(&work.image);
    img_source_close(work.source);
    return status;
}
