/* `imgtool bench [OP...]`, `imgtool bench lab [EXPERIMENT...]`, `imgtool bench files INPUT...` */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/args.h"
#include "app/bench/bench.h"
#include "app/bench/image.h"
#include "app/bench/jobs/end_to_end.h"
#include "app/bench/jobs/scratch.h"
#include "app/bench/jobs/spawn.h"
#include "app/bench/lab.h"
#include "app/bench/list.h"
#include "app/bench/machine.h"
#include "app/bench/output.h"
#include "app/exit_code.h"
#include "app/inputs.h"
#include "app/interrupt.h"
#include "app/report.h"
#include "app/resources.h"

typedef enum Mode { MODE_OPS, MODE_LAB, MODE_FILES } Mode;

typedef struct Run {
    Mode mode;
    const Args *args;
    const Settings *settings;
    const char *const *names; /* what stands behind "lab" and "files" */
    size_t count;
    Bench bench;
    BenchOutput output;
    double context; /* seconds; 0: none was created */
} Run;

/* --- What is asked for ----------------------------------------------------------------------- */

static void find_mode(Run *run)
{
    const Args *args = run->args;
    run->names = args->operands;
    run->count = args->operand_count;
    if (args->operand_count == 0)
        return;
    if (strcmp(args->operands[0], "lab") == 0)
        run->mode = MODE_LAB;
    else if (strcmp(args->operands[0], "files") == 0)
        run->mode = MODE_FILES;
    if (run->mode != MODE_OPS) {
        run->names++;
        run->count--;
    }
}

static ImgStatus only_for(const Run *run, const char *option, bool here, const char *where,
                          ImgError *err)
{
    if (!here && option_given(run->settings, option))
        return img_fail(err, IMG_E_USAGE, "bench: --%s is for '%s'; leave it out here", option,
                        where);
    return IMG_OK;
}

/* Options that mean nothing here are slips. */
static ImgStatus check_options(const Run *run, ImgError *err)
{
    const Settings *settings = run->settings;
    bool files = run->mode == MODE_FILES;
    ImgStatus status = only_for(run, "pipeline", files, "imgtool bench files", err);
    if (status == IMG_OK)
        status = only_for(run, "recursive", files, "imgtool bench files", err);
    if (status == IMG_OK)
        status = only_for(run, "image", run->mode == MODE_OPS, "imgtool bench OP", err);
    if (status == IMG_OK)
        status = only_for(run, "impl", run->mode == MODE_OPS, "imgtool bench OP", err);
    if (status == IMG_OK)
        status = only_for(run, "small", run->mode == MODE_LAB, "imgtool bench lab", err);
    if (status == IMG_OK)
        status = only_for(run, "size", !files, "imgtool bench OP", err);
    if (status == IMG_OK)
        status = only_for(run, "format", !files, "imgtool bench OP", err);
    if (status == IMG_OK)
        status = only_for(run, "profile", !files, "imgtool bench OP", err);
    if (status != IMG_OK)
        return status;
    if (files && run->count == 0)
        return img_fail(err, IMG_E_USAGE,
                        "bench files: no file is named; usage: imgtool bench files INPUT...");
    if (settings->image != NULL && (settings->sizes != NULL || settings->formats != NULL))
        return img_fail(err, IMG_E_USAGE,
                        "bench: --image brings its own size and format; leave out --%s",
                        settings->sizes != NULL ? "size" : "format");
    if (settings->backend == IMG_BACKEND_CPU && option_given(settings, "device"))
        return img_fail(err, IMG_E_USAGE,
                        "--device %d and --backend cpu contradict each other: a device is a GPU",
                        settings->device);
    if (run->mode == MODE_LAB && settings->backend == IMG_BACKEND_CPU &&
        option_given(settings, "backend") && settings->profile)
        return img_fail(err, IMG_E_USAGE, "bench lab: --profile needs a GPU");
    return IMG_OK;
}

/* All that can be found wrong before anything is measured. */
static ImgStatus prepare(Run *run, ImgError *err)
{
    ImgStatus status = check_options(run, err);
    if (status == IMG_OK)
        status = bench_output_check(run->settings, err);
    if (status == IMG_OK && run->mode == MODE_LAB)
        status = bench_lab_check(run->names, run->count, err);
    if (status == IMG_OK)
        status = bench_plan_make(run->settings, run->names, run->mode == MODE_OPS ? run->count : 0,
                                 &run->bench.plan, err);
    if (status == IMG_OK && run->settings->profile && !option_given(run->settings, "backend"))
        run->bench.plan.cpu = false;
    return status;
}

/* --- What it runs on ------------------------------------------------------------------------- */

/* An explicit wish is not to be fulfilled by something else. */
static ImgStatus open_device(Run *run, ImgError *err)
{
    const Settings *settings = run->settings;
    bool needed = settings->backend == IMG_BACKEND_CUDA || option_given(settings, "device") ||
                  settings->profile;
    ImgError why = {IMG_OK, ""};
    if (settings->backend == IMG_BACKEND_CPU)
        return IMG_OK;
    ImgStatus status = bench_create_context(settings, &run->context, &why);
    if (status == IMG_OK)
        status = img_device_open(settings->device, &run->bench.device, &why);
    if (status == IMG_OK)
        return IMG_OK;
    if (needed && !(run->mode == MODE_OPS && run->bench.plan.cpu && settings->profile))
        return img_fail(err, why.status, "%s", why.message);
    report_detail(settings, "no GPU is measured: %s", why.message);
    return IMG_OK;
}

static void begins(const Bench *bench, const char *what)
{
    bench_output_progress(bench->settings, what);
}

static void finished(const Bench *bench, const BenchGroup *group)
{
    bench_output_group(bench->settings, group);
}

/* --- What is measured ------------------------------------------------------------------------ */

static void tell_progress(void *context, const char *what, double share)
{
    const Run *run = context;
    char text[128];
    snprintf(text, sizeof text, "whole jobs: %s, %.0f %%", what, share * 100);
    bench_output_progress(run->settings, text);
}

static ImgStatus run_jobs(Run *run, const char *pipeline, const char *const *files, size_t count,
                          const char *subject, ImgError *err)
{
    EndToEnd what = {
        .settings = run->settings,
        .pipeline = pipeline,
        .files = files,
        .count = count,
        .subject = subject,
        .context = run->context,
        .program = BENCH_SELF,
        .stopped = interrupt_asked,
        .progress = tell_progress,
        .progress_context = run,
    };
    return bench_end_to_end(&what, &run->bench.report, err);
}

static bool is_pipeline_step(const ImgStep *step)
{
    ImgShape shape = {64, 64, {IMG_COLOR_RGB, 8}}, result;
    return step->op->shape(shape, step->params.bytes, &result, NULL) != IMG_OK ||
           result.format.color != IMG_COLOR_COUNTS;
}

/* RGB of 8 bits, as most files are, if it is among the formats; 12 megapixels instead of sizes that
 * take a minute to encode. */
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

static ImgStatus run_step_job(Run *run, const ImgStep *step, ImgError *err)
{
    char pipeline[256], subject[BENCH_SUBJECT];
    Scratch scratch = SCRATCH_NONE;
    const char *path = run->settings->image;
    ImgShape shape = job_shape(&run->bench.plan);
    ImgStatus status = IMG_OK;
    bench_step_title(step, pipeline, sizeof pipeline);
    snprintf(subject, sizeof subject, "%s %dx%d", bench_format_name(shape.format), shape.width,
             shape.height);
    if (path == NULL) {
        begins(&run->bench, "whole jobs: writing a picture");
        status = scratch_open(&scratch, err);
        if (status == IMG_OK)
            status = bench_scratch_picture(&scratch, shape, &path, err);
    }
    if (status == IMG_OK)
        status = run_jobs(run, pipeline, &path, 1,
                          run->settings->image != NULL ? run->settings->image : subject, err);
    scratch_close(&scratch);
    return status;
}

/* Whole jobs take seconds: of each operation that is named, or of the first. */
static ImgStatus run_step_jobs(Run *run, ImgError *err)
{
    const BenchPlan *plan = &run->bench.plan;
    size_t most = run->count > 0 ? plan->step_count : 1;
    ImgStatus status = IMG_OK;
    if (run->settings->profile || plan->impl_count > 0)
        return IMG_OK;
    for (size_t i = 0; i < plan->step_count && most > 0 && status == IMG_OK; i++) {
        if (!is_pipeline_step(&plan->steps[i]) || interrupt_asked())
            continue;
        status = run_step_job(run, &plan->steps[i], err);
        most--;
    }
    return status;
}

static ImgStatus run_ops(Run *run, ImgError *err)
{
    ImgImage picture = IMG_IMAGE_NONE;
    ImgStatus status;
    if (run->settings->image == NULL) {
        status = bench_ops(&run->bench, err);
    } else {
        status = bench_image_load(run->settings, run->settings->image, &picture, err);
        if (status == IMG_OK)
            status = bench_ops_of(&run->bench, &picture.view, err);
        img_image_free(&picture);
    }
    if (status == IMG_OK && !interrupt_asked())
        status = run_step_jobs(run, err);
    return status;
}

/* With the options that decide what is launched. */
static void count_on_device(Run *run)
{
    const Settings *settings = run->settings;
    char device[16];
    char *arguments[64] = {"bench", "lab"};
    size_t count = 2;
    ImgError err = {IMG_OK, ""};
    for (size_t i = 0; i < run->count && count < 55; i++)
        arguments[count++] = (char *)run->names[i];
    if (settings->formats != NULL) {
        arguments[count++] = "--format";
        arguments[count++] = (char *)settings->formats;
    }
    snprintf(device, sizeof device, "%d", settings->device);
    arguments[count++] = "--device";
    arguments[count++] = device;
    arguments[count++] = "--profile";
    arguments[count++] = "--small";
    arguments[count] = NULL;
    begins(&run->bench, "counting with Nsight Compute");
    if (bench_counters_run(arguments, &run->bench.counters, &err) != IMG_OK) {
        bench_output_progress(settings, NULL);
        report_note(settings, "counts are modelled, not measured: %s", err.message);
        bench_counters_free(run->bench.counters);
        run->bench.counters = NULL;
    }
}

static ImgStatus run_lab(Run *run, ImgError *err)
{
    if (run->bench.device != NULL && !run->settings->profile)
        count_on_device(run);
    return bench_lab(&run->bench, run->names, run->count, err);
}

static ImgStatus run_files(Run *run, ImgError *err)
{
    Inputs inputs = INPUTS_NONE;
    char subject[BENCH_SUBJECT];
    for (size_t i = 0; i < run->count; i++)
        inputs_add(&inputs, run->names[i], run->settings->recursive != 0);
    ImgStatus status = IMG_OK;
    if (inputs.count == 0)
        status = img_fail(err, IMG_E_IO, "bench files: there is no file to measure with");
    snprintf(subject, sizeof subject, "%zu file%s", inputs.count, inputs.count == 1 ? "" : "s");
    if (status == IMG_OK)
        status = run_jobs(
            run, run->settings->pipeline != NULL ? run->settings->pipeline : "rotate angle=90",
            (const char *const *)inputs.paths, inputs.count,
            inputs.count == 1 ? inputs.paths[0] : subject, err);
    inputs_free(&inputs);
    return status;
}

static ImgStatus measure(Run *run, ImgError *err)
{
    bench_machine_find(run->bench.device != NULL ? run->settings->device : -1, run->bench.threads,
                       run->args->argc - 1, (const char *const *)run->args->argv + 1,
                       &run->bench.report.machine);
    bench_output_begin(run->settings, &run->bench.report.machine);
    switch (run->mode) {
    case MODE_LAB:
        return run_lab(run, err);
    case MODE_FILES:
        return run_files(run, err);
    case MODE_OPS:
        break;
    }
    return run_ops(run, err);
}

static int finish(Run *run, ImgStatus status, ImgError *err)
{
    BenchReport *report = &run->bench.report;
    report->interrupted |= interrupt_asked();
    bench_output_progress(run->settings, NULL);
    int code = bench_exit_code(report);
    /* What was measured before something failed is worth printing. */
    if (status == IMG_OK || report->group_count > 0 || report->job_count > 0) {
        ImgError late = {IMG_OK, ""};
        if (bench_output_end(&run->output, report, &late) != IMG_OK)
            code = report_failure(&late);
    }
    if (status != IMG_OK)
        code = report_failure(err);
    return code;
}

static int run_bench(Run *run)
{
    ImgError err = {IMG_OK, ""};
    interrupt_install();
    ImgStatus status = prepare(run, &err);
    if (status == IMG_OK)
        status = bench_output_open(run->settings, &run->output, &err);
    if (status != IMG_OK)
        return report_failure(&err);
    interrupt_ask_first();
    run->bench.threads = resources_wanted_threads(run->settings);
    status = open_device(run, &err);
    if (status == IMG_OK)
        status = measure(run, &err);
    return finish(run, status, &err);
}

int cmd_bench(const Args *args)
{
    Run *run = calloc(1, sizeof *run);
    ImgError err = {IMG_OK, ""};
    if (run == NULL) {
        (void)img_fail(&err, IMG_E_MEMORY, "no memory");
        return report_failure(&err);
    }
    run->args = args;
    run->settings = &args->settings;
    run->bench.settings = &args->settings;
    run->bench.stopped = interrupt_asked;
    run->bench.begins = begins;
    run->bench.finished = finished;
    find_mode(run);
    int code = CLI_OK;
    if (args->settings.list && run->mode == MODE_LAB)
        bench_list_lab(stdout, args->settings.verbosity > 0);
    else if (args->settings.list)
        bench_list_ops(stdout);
    else
        code = run_bench(run);
    bench_output_close(&run->output);
    bench_counters_free(run->bench.counters);
    bench_report_free(&run->bench.report);
    img_device_close(run->bench.device);
    free(run);
    report_flush_stdout();
    interrupt_finish();
    return code;
}
