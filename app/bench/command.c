
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/bench/export/export.h"
#include "app/bench/jobs/end_to_end.h"
#include "app/bench/lab/lab.h"
#include "app/bench/model/model.h"
#include "app/bench/modes.h"
#include "app/bench/report.h"
#include "app/cli/args.h"
#include "app/cli/exit_code.h"
#include "app/cli/pipeline.h"
#include "app/engine/share/resources.h"
#include "app/term/interrupt.h"
#include "app/term/messages.h"
#include "app/text/streams.h"

/* --- Command line ----------------------------------------------------------------------------- */

static const char *const first_lesson[] = {LAB_FIRST};

static void find_mode(BenchRun *run)
{
    const Args *args = run->args;
    run->names = args->operands;
    run->count = args->operand_count;
    if (args->operand_count == 0)
        return;
    if (strcmp(args->operands[0], "lab") == 0)
        run->mode = BENCH_MODE_LAB;
    else if (strcmp(args->operands[0], "files") == 0)
        run->mode = BENCH_MODE_FILES;
    else if (strcmp(args->operands[0], "codec") == 0)
        run->mode = BENCH_MODE_CODEC;
    if (run->mode != BENCH_MODE_OPS) {
        run->names++;
        run->count--;
    }
    if (run->mode == BENCH_MODE_LAB && run->count == 0) {
        run->names = first_lesson;
        run->count = 1;
    }
}

/* Rejects options of other forms of `imgtool bench`. `files` is set if the user named files. */
static ImgStatus check_mode_options(const BenchRun *run, bool files, ImgError *err)
{
    const bool ops = run->mode == BENCH_MODE_OPS, lab = run->mode == BENCH_MODE_LAB;
    const struct {
        const char *option;
        bool here; /* the option has an effect in this form */
        const char *where;
    } rules[] = {
        {"pipeline", run->mode == BENCH_MODE_FILES, "imgtool bench files"},
        {"recursive", files, "imgtool bench files"},
        {"image", ops, "imgtool bench OP"},
        {"impl", ops, "imgtool bench OP"},
        {"show", lab, "imgtool bench lab"},
        {"small", lab, "imgtool bench lab"},
        {"size", !files, "imgtool bench OP"},
        {"format", !files, "imgtool bench OP"},
        {"profile", ops || lab, "imgtool bench OP"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (!rules[i].here && option_given(run->settings, rules[i].option))
            return img_fail(err, IMG_E_USAGE, "bench: --%s is for '%s'; leave it out here",
                            rules[i].option, rules[i].where);
    return IMG_OK;
}

/* Rejects options of the measurement, such as --threads, if --load is given. With --load nothing is
 * measured, so these options would have no effect. */
static ImgStatus check_load(const BenchRun *run, ImgError *err)
{
    static const char *const measuring[] = {"backend", "device", "threads", "size",   "format",
                                            "impl",    "image",  "time",    "profile"};
    if (run->args->operand_count > 0)
        return img_fail(err, IMG_E_USAGE,
                        "bench: --load prints what was measured before; leave out '%s'",
                        run->args->operands[0]);
    for (size_t i = 0; i < sizeof measuring / sizeof *measuring; i++)
        if (option_given(run->settings, measuring[i]))
            return img_fail(err, IMG_E_USAGE,
                            "bench: --load prints what was measured before; leave out --%s",
                            measuring[i]);
    return IMG_OK;
}

/* Rejects options that have no effect in this form of `imgtool bench`, because they are probably
 * mistakes of the user. */
static ImgStatus check_options(const BenchRun *run, ImgError *err)
{
    const Settings *settings = run->settings;
    bool jobs = run->mode == BENCH_MODE_FILES;
    bool files = jobs || (run->mode == BENCH_MODE_CODEC && run->count > 0);
    ImgStatus status = check_mode_options(run, files, err);
    if (status != IMG_OK)
        return status;
    if (settings->loaded_report != NULL)
        return check_load(run, err);
    if (jobs && run->count == 0)
        return img_fail(err, IMG_E_USAGE,
                        "bench files: no file is named; usage: imgtool bench files INPUT...");
    if ((jobs || run->mode == BENCH_MODE_CODEC) && settings->plot != NULL)
        return img_fail(err, IMG_E_USAGE,
                        "bench: --plot draws operations and experiments, not whole jobs; "
                        "leave it out here");
    if (settings->image != NULL && strcmp(settings->image, "-") == 0)
        return img_fail(err, IMG_E_USAGE,
                        "bench: --image - is not possible: the picture is read more than once, "
                        "which standard input does not allow; name a file");
    if (settings->image != NULL && (settings->sizes != NULL || settings->formats != NULL))
        return img_fail(err, IMG_E_USAGE,
                        "bench: --image brings its own size and format; leave out --%s",
                        settings->sizes != NULL ? "size" : "format");
    if (settings->engine.backend == IMG_BACKEND_CPU && option_given(settings, "device"))
        return img_fail(err, IMG_E_USAGE,
                        "--device %d and --backend cpu exclude each other; leave one out",
                        settings->engine.device);
    if (run->mode == BENCH_MODE_LAB && settings->engine.backend == IMG_BACKEND_CPU &&
        option_given(settings, "backend") && settings->profile)
        return img_fail(err, IMG_E_USAGE, "bench lab: --profile needs a GPU");
    return IMG_OK;
}

/* Reads the steps of --pipeline once, before all measurements. The file that contains them may be a
 * pipe, and may change during the run. */
static ImgStatus read_pipeline(BenchRun *run, ImgError *err)
{
    ImgStep steps[IMG_STEPS_MAX];
    size_t count;
    ImgStatus status = pipeline_read(run->settings->pipeline, false, steps, &count, run->mark, err);
    if (status == IMG_OK && count == 0)
        status = img_fail(err, IMG_E_USAGE,
                          "--pipeline has no step; 'imgtool bench codec' measures reading and "
                          "writing alone");
    if (status == IMG_OK)
        img_pipeline_print(steps, count, run->pipeline, sizeof run->pipeline);
    else
        img_error_prefix(err, "bench");
    return status;
}

/* Checks all options and loads the files of the steps, so that mistakes are reported before the
 * first measurement. */
static ImgStatus prepare(BenchRun *run, ImgError *err)
{
    ImgStatus status = check_options(run, err);
    if (status == IMG_OK)
        status = bench_output_check(run->settings, err);
    if (status == IMG_OK && run->mode == BENCH_MODE_LAB)
        status = bench_lab_check(run->names, run->count, err);
    if (status == IMG_OK)
        status =
            bench_plan_make(run->settings, run->names, run->mode == BENCH_MODE_OPS ? run->count : 0,
                            &run->bench.plan, err);
    if (status == IMG_OK)
        status =
            img_resources_load_step_files(&run->files, run->bench.plan.steps,
                                          run->bench.plan.step_count, &run->settings->engine, err);
    if (status == IMG_OK && run->settings->pipeline != NULL)
        status = read_pipeline(run, err);
    if (status == IMG_OK && run->settings->profile && !option_given(run->settings, "backend"))
        run->bench.plan.cpu = false;
    return status;
}

/* --- Device ----------------------------------------------------------------------------------- */

/* Opens the GPU. Without a GPU only the CPU is measured. That is an error if
 * --backend, --device or --profile requires a GPU. */
static ImgStatus open_device(BenchRun *run, ImgError *err)
{
    const Settings *settings = run->settings;
    bool needed = settings->engine.backend == IMG_BACKEND_CUDA ||
                  option_given(settings, "device") || settings->profile;
    ImgError why = {IMG_OK, ""};
    if (settings->engine.backend == IMG_BACKEND_CPU)
        return IMG_OK;
    ImgStatus status = bench_create_context(settings, &run->context, &why);
    if (status == IMG_OK)
        status = img_device_open(settings->engine.device, &run->bench.device, &why);
    if (status == IMG_OK)
        return IMG_OK;
    if (needed && !(run->mode == BENCH_MODE_OPS && run->bench.plan.cpu && settings->profile))
        return img_fail(err, why.status, "%s", why.message);
    img_engine_detail(&settings->engine, "no GPU is measured: %s", why.message);
    return IMG_OK;
}

static void print_progress(const Bench *bench, const char *what)
{
    bench_output_progress(bench->settings, what);
}

static void print_group(const Bench *bench, const BenchGroup *group)
{
    bench_output_group(bench->settings, &bench->report, (size_t)(group - bench->report.groups));
}

/* Loads a stored report (--load) and prints it in the same form as a new measurement. */
static ImgStatus load(BenchRun *run, ImgError *err)
{
    BenchReport *report = &run->bench.report;
    ImgStatus status = bench_load(run->settings->loaded_report, report, err);
    if (status != IMG_OK)
        return status;
    bench_output_begin(run->settings, &report->machine);
    for (size_t i = 0; i < report->group_count; i++)
        bench_output_group(run->settings, report, i);
    return IMG_OK;
}

static ImgStatus measure(BenchRun *run, ImgError *err)
{
    bench_machine_find(run->bench.device != NULL ? run->settings->engine.device : -1,
                       run->bench.threads, run->args->argc - 1,
                       (const char *const *)run->args->argv + 1, &run->bench.report.machine);
    bench_output_begin(run->settings, &run->bench.report.machine);
    switch (run->mode) {
    case BENCH_MODE_LAB:
        return bench_run_lab(run, err);
    case BENCH_MODE_FILES:
        return bench_run_files(run, err);
    case BENCH_MODE_CODEC:
        return bench_run_codec(run, err);
    case BENCH_MODE_OPS:
        break;
    }
    return bench_run_ops(run, err);
}

static int finish(BenchRun *run, ImgStatus status, ImgError *err)
{
    BenchReport *report = &run->bench.report;
    report->interrupted |= interrupt_requested();
    bench_output_progress(run->settings, NULL);
    int code = bench_exit_code(report);
    if (code == CLI_OK && run->input_failed)
        code = CLI_SOME_FAILED;
    /* If an error ended the measurement, the results up to the error are still printed. */
    if (status == IMG_OK || report->group_count > 0 || report->job_count > 0) {
        ImgError late = {IMG_OK, ""};
        if (bench_output_end(&run->output, report, &late) != IMG_OK)
            code = report_failure(&late);
    }
    if (status != IMG_OK)
        code = report_failure(err);
    return code;
}

static int run_bench(BenchRun *run)
{
    ImgError err = {IMG_OK, ""};
    interrupt_install();
    ImgStatus status = prepare(run, &err);
    if (status == IMG_OK)
        status = bench_output_open(run->settings, &run->output, &err);
    if (status != IMG_OK)
        return report_failure_at(&err, run->mark);
    interrupt_defer_first();
    if (run->settings->loaded_report != NULL)
        return finish(run, load(run, &err), &err);
    run->bench.threads = img_resources_wanted_threads(&run->settings->engine);
    status = open_device(run, &err);
    if (status == IMG_OK)
        status = measure(run, &err);
    return finish(run, status, &err);
}

static int show_sources(const BenchRun *run)
{
    ImgError err = {IMG_OK, ""};
    if (bench_lab_check(run->names, run->count, &err) != IMG_OK)
        return report_failure(&err);
    bench_lab_show(stdout, run->names, run->count);
    return CLI_OK;
}

static void exit_without_memory(void)
{
    ImgError err = {IMG_OK, ""};
    (void)img_fail(&err, IMG_E_MEMORY, "bench: no memory for the model of a GPU");
    exit(report_failure(&err));
}

int bench_command(const Args *args)
{
    img_model_on_no_memory(exit_without_memory);
    BenchRun *run = calloc(1, sizeof *run);
    ImgError err = {IMG_OK, ""};
    if (run == NULL) {
        (void)img_fail(&err, IMG_E_MEMORY, "no memory");
        return report_failure(&err);
    }
    run->args = args;
    run->settings = &args->settings;
    run->bench.settings = &args->settings;
    run->bench.stopped = interrupt_requested;
    run->bench.begins = print_progress;
    run->bench.finished = print_group;
    find_mode(run);
    int code = CLI_OK;
    if (args->settings.list && run->mode == BENCH_MODE_LAB)
        bench_list_lab(stdout, args->settings.engine.verbosity > 0);
    else if (args->settings.list)
        bench_list_ops(stdout);
    else if (args->settings.show && run->mode == BENCH_MODE_LAB)
        code = show_sources(run);
    else
        code = run_bench(run);
    bench_output_close(&run->output);
    img_step_files_free(&run->files);
    bench_counters_free(run->bench.counters);
    bench_report_free(&run->bench.report);
    img_device_close(run->bench.device);
    free(run);
    img_streams_flush_stdout();
    interrupt_finish();
    return code;
}
