#include "app/bench/modes.h"

#include <stdio.h>
#include <string.h>

#include "app/bench/jobs/end_to_end.h"
#include "app/bench/jobs/scratch.h"
#include "app/bench/lab/lab.h"
#include "app/engine/load.h"
#include "app/engine/share/resources.h"
#include "app/files/inputs.h"
#include "app/term/interrupt.h"
#include "app/term/messages.h"
#include "app/text/paths.h"

static void report_progress(void *context, const char *what, double share)
{
    const BenchRun *run = context;
    char text[128];
    snprintf(text, sizeof text, "whole jobs: %s, %.0f %%", what, share * 100);
    bench_output_progress(run->settings, text);
}

/* Measures whole jobs on the files. `subject` is their name in headings, where a whole path would
 * be too long. */
static ImgStatus run_jobs(BenchRun *run, const char *pipeline, const char *const *files,
                          size_t count, const char *subject, ImgError *err)
{
    EndToEnd what = {
        .settings = run->settings,
        .pipeline = pipeline,
        .files = files,
        .count = count,
        .subject = subject,
        .context = run->context,
        .program = run->args->argv[0],
        .stopped = interrupt_requested,
        .progress = report_progress,
        .progress_context = run,
    };
    BenchReport *report = &run->bench.report;
    size_t groups = report->group_count;
    ImgStatus status = bench_end_to_end(&what, report, err);
    for (; status == IMG_OK && groups < report->group_count; groups++)
        bench_output_group(run->settings, report, groups);
    return status;
}

static bool is_pipeline_step(const ImgStep *step)
{
    ImgShape shape = {64, 64, {IMG_COLOR_RGB, 8}}, result;
    return step->op->shape(shape, step->params.bytes, &result, NULL) != IMG_OK ||
           result.format.color != IMG_COLOR_COUNTS;
}

/* Returns the shape of the generated picture for whole jobs. The format is rgb8 if the plan has it,
 * because most files have that format. If the plan's size is above 20 megapixels, the picture has
 * 12 megapixels instead, because encoding a larger one would take a minute. */
static ImgShape job_shape(const BenchPlan *plan)
{
    const int64_t most = 20000000;
    ImgShape shape = {plan->sizes[0][0], plan->sizes[0][1], {IMG_COLOR_RGB, 8}};
    if ((int64_t)shape.width * shape.height > most) {
        shape.width = 4001;
        shape.height = 3001;
    }
    ImgFormat format = plan->formats[0]->format;
    for (size_t i = 0; i < plan->format_count; i++)
        if (strcmp(plan->formats[i]->name, "rgb8") == 0)
            format = plan->formats[i]->format;
    shape.format = format;
    return shape;
}

/* Measures whole jobs on the picture of --image. Without --image, it generates a picture. */
static ImgStatus run_picture_job(BenchRun *run, const char *pipeline, ImgError *err)
{
    char subject[BENCH_SUBJECT];
    Scratch scratch = SCRATCH_NONE;
    const char *path = run->settings->image;
    ImgShape shape = job_shape(&run->bench.plan);
    ImgStatus status = IMG_OK;
    snprintf(subject, sizeof subject, "%s %dx%d", bench_format_name(shape.format), shape.width,
             shape.height);
    if (path == NULL) {
        run->bench.begins(&run->bench, "whole jobs: writing a picture");
        status = scratch_open(&scratch, err);
        if (status == IMG_OK)
            status = bench_scratch_picture(&scratch, shape, &path, err);
    }
    if (status == IMG_OK)
        status =
            run_jobs(run, pipeline, &path, 1,
                     run->settings->image != NULL ? path_name(run->settings->image) : subject, err);
    scratch_close(&scratch);
    return status;
}

static ImgStatus run_step_job(BenchRun *run, const ImgStep *step, ImgError *err)
{
    char pipeline[BENCH_STEP_TEXT];
    bench_step_title(step, pipeline, sizeof pipeline);
    return run_picture_job(run, pipeline, err);
}

/* Measures whole jobs of each operation that the user named. If the user named none, it measures
 * only the first operation of the plan, because a job takes seconds. */
static ImgStatus run_step_jobs(BenchRun *run, ImgError *err)
{
    const BenchPlan *plan = &run->bench.plan;
    size_t most = run->count > 0 ? plan->step_count : 1;
    ImgStatus status = IMG_OK;
    if (run->settings->profile || plan->impl_count > 0)
        return IMG_OK;
    for (size_t i = 0; i < plan->step_count && most > 0 && status == IMG_OK; i++) {
        if (!is_pipeline_step(&plan->steps[i]) || interrupt_requested())
            continue;
        status = run_step_job(run, &plan->steps[i], err);
        most--;
    }
    return status;
}

/* Reads and decodes the file `path` within the limits of `settings`. Palettes and transparent
 * colours are expanded, because most operations work on channels. Error messages name the file. The
 * caller frees the image. */
static ImgStatus load_image(const Settings *settings, const char *path, ImgImage *image,
                            ImgError *err)
{
    Load load = img_load_begin(path, &settings->engine, true);
    *image = IMG_IMAGE_NONE;
    ImgStatus status = img_load_open(&load, err);
    if (status == IMG_OK)
        status = img_load_read(&load, err);
    if (status == IMG_OK)
        status =
            img_load_failure(&load,
                             img_resources_check_memory(load.raw, img_load_bytes(&load) + load.held,
                                                        &load.limits, err),
                             err);
    if (status == IMG_OK)
        status = img_load_decode(&load, NULL, 1, err);
    if (status == IMG_OK) {
        *image = load.image;
        load.image = IMG_IMAGE_NONE;
    }
    img_load_end(&load);
    return status;
}

ImgStatus bench_run_ops(BenchRun *run, ImgError *err)
{
    ImgImage picture = IMG_IMAGE_NONE;
    ImgStatus status;
    if (run->settings->image == NULL) {
        status = bench_ops(&run->bench, err);
    } else {
        status = load_image(run->settings, run->settings->image, &picture, err);
        if (status == IMG_OK)
            status = bench_ops_of(&run->bench, &picture.view, err);
        img_image_free(&picture);
    }
    if (status == IMG_OK && run->bench.report.group_count == 0 && !interrupt_requested())
        status = img_fail(
            err, IMG_E_UNAVAILABLE,
            "bench: nothing of this can run here%s; 'imgtool bench --list' lists what is available",
            run->bench.device == NULL ? ", where no GPU is measured" : "");
    if (status == IMG_OK && !interrupt_requested())
        status = run_step_jobs(run, err);
    return status;
}

/* Runs this program again, in ncu, to measure hardware counters. The options of that process are
 * --profile, which keeps it from running ncu itself, and those that affect launches. The names of
 * the experiments follow. If there are too many names, the last ones are left out. */
static void count_on_device(BenchRun *run)
{
    enum { MOST = 72 };
    const Settings *settings = run->settings;
    char device[16];
    char *arguments[MOST] = {"bench", "lab"};
    size_t count = 2;
    ImgError err = {IMG_OK, ""};
    if (settings->formats != NULL) {
        arguments[count++] = "--format";
        arguments[count++] = (char *)settings->formats;
    }
    snprintf(device, sizeof device, "%d", settings->engine.device);
    arguments[count++] = "--device";
    arguments[count++] = device;
    arguments[count++] = "--profile";
    arguments[count++] = "--small";
    for (size_t i = 0; i < run->count && count < MOST - 1; i++)
        arguments[count++] = (char *)run->names[i];
    arguments[count] = NULL;
    run->bench.begins(&run->bench, "counting with Nsight Compute");
    if (bench_counters_run(arguments, &run->bench.counters, &err) != IMG_OK) {
        bench_output_progress(settings, NULL);
        img_engine_note(&settings->engine, "counts are modelled, not measured: %s", err.message);
        bench_counters_free(run->bench.counters);
        run->bench.counters = NULL;
    }
}

ImgStatus bench_run_lab(BenchRun *run, ImgError *err)
{
    if (run->bench.device != NULL && !run->settings->profile)
        count_on_device(run);
    return bench_lab(&run->bench, run->names, run->count, err);
}

/* Measures whole jobs on the user's files. `pipeline` is as in EndToEnd: NULL means decoding and
 * encoding only. */
static ImgStatus run_inputs(BenchRun *run, const char *pipeline, ImgError *err)
{
    Inputs inputs = INPUTS_NONE;
    char subject[BENCH_SUBJECT];
    for (size_t i = 0; i < run->count; i++)
        inputs_add(&inputs, run->names[i], run->settings->recursive != 0);
    run->input_failed = inputs.failures > 0;
    ImgStatus status = IMG_OK;
    if (inputs.count == 0)
        status = img_fail(err, IMG_E_IO, "bench %s: there is no file to measure with",
                          pipeline != NULL ? "files" : "codec");
    snprintf(subject, sizeof subject, "%zu file%s", inputs.count, inputs.count == 1 ? "" : "s");
    if (status == IMG_OK)
        status = run_jobs(run, pipeline, (const char *const *)inputs.paths, inputs.count,
                          inputs.count == 1 ? path_name(inputs.paths[0]) : subject, err);
    inputs_free(&inputs);
    return status;
}

ImgStatus bench_run_files(BenchRun *run, ImgError *err)
{
    return run_inputs(run, run->settings->pipeline != NULL ? run->pipeline : "rotate angle=90",
                      err);
}

ImgStatus bench_run_codec(BenchRun *run, ImgError *err)
{
    return run->count > 0 ? run_inputs(run, NULL, err) : run_picture_job(run, NULL, err);
}
