/* Runs `imgtool batch OP|STEPS [options] INPUT... OUTPUT_DIR`. */
#include <stdlib.h>
#include <string.h>

#include "app/batch/batch.h"
#include "app/batch/plan/batch_plan.h"
#include "app/batch/plan/plan_priv.h"
#include "app/batch/report/report_file.h"
#include "app/cli/args.h"
#include "app/cli/pipeline.h"
#include "app/engine/share/resources.h"
#include "app/term/interrupt.h"
#include "app/term/messages.h"
#include "app/text/amounts.h"
#include "io/step_files.h"

static ImgStatus refuse(ImgError *err, const char *option, const char *why)
{
    return img_fail(err, IMG_E_USAGE, "batch: --%s %s", option, why);
}

/* Rejects options of `batch stats`, and options that exclude each other. */
static ImgStatus check_options(const Settings *settings, ImgError *err)
{
    static const char *const of_stats[] = {"luma", "skip-transparent", "percentiles", "json",
                                           "csv"};
    for (size_t i = 0; i < sizeof of_stats / sizeof *of_stats; i++)
        if (option_given(settings, of_stats[i]))
            return refuse(err, of_stats[i], "is for 'imgtool batch stats'; leave it out");
    if (settings->resume && settings->newer)
        return refuse(err, "resume", "and --newer exclude each other; choose one");
    if (settings->resume && settings->no_record)
        return refuse(err, "no-record", "leaves nothing for --resume to read; choose one");
    if (settings->in_place && settings->newer)
        return refuse(
            err, "newer",
            "compares an input with its output, which are one file with --in-place; use --resume");
    if (settings->in_place && settings->engine.no_clobber)
        return refuse(err, "no-clobber",
                      "keeps existing files, and --in-place replaces them; choose one");
    if (settings->steal != NULL && settings->shard == NULL)
        return refuse(err, "steal", "applies to one of several parts; name it with --shard");
    if (settings->steal != NULL && settings->in_place)
        return refuse(err, "steal",
                      "may process a file twice, which --in-place does not allow; leave one out");
    if (settings->steal != NULL && (settings->no_record || settings->newer))
        return refuse(err, "steal",
                      settings->no_record ? "needs the record; leave out --no-record"
                                          : "and --newer exclude each other; choose one");
    uint64_t seconds;
    if (settings->grace != NULL &&
        img_amount_parse_seconds(settings->grace, &seconds, err) != IMG_OK) {
        img_error_prefix(err, "batch: --grace");
        return err->status;
    }
    if (settings->steal != NULL &&
        img_amount_parse_seconds(settings->steal, &seconds, err) != IMG_OK) {
        img_error_prefix(err, "batch: --steal");
        return err->status;
    }
    if (settings->in_place && settings->balance == BALANCE_SIZE)
        return refuse(
            err, "balance",
            "size needs inputs that do not change, and --in-place replaces them; leave one out");
    return IMG_OK;
}

static bool optimizes(const Args *args)
{
    return strcmp(args->operands[0], "optimize") == 0;
}

/* Rejects options of `batch optimize` for other steps, and options that it does not have. */
static ImgStatus check_optimize(const Args *args, ImgError *err)
{
    static const char *const own[] = {"effort", "alpha", "keep-type", "keep-alpha", "no-gray"};
    static const char *const others[] = {"level",   "quality", "format", "no-index",
                                         "backend", "impl",    "device"};
    const Settings *settings = &args->settings;
    for (size_t i = 0; !optimizes(args) && i < sizeof own / sizeof *own; i++)
        if (option_given(settings, own[i]))
            return refuse(err, own[i], "is for 'imgtool batch optimize'; leave it out");
    for (size_t i = 0; optimizes(args) && i < sizeof others / sizeof *others; i++)
        if (option_given(settings, others[i]))
            return refuse(err, others[i], "has no effect on 'optimize'; leave it out");
    return IMG_OK;
}

static ImgStatus parse_steps(const Args *args, ImgStep steps[IMG_STEPS_MAX], size_t *count,
                             char mark[CARET_SIZE], ImgError *err)
{
    *count = args_steps(args, steps);
    if (*count > 0 || strcmp(args->operands[0], "convert") == 0 || optimizes(args))
        return IMG_OK;
    ImgStatus status = pipeline_read(args->operands[0], false, steps, count, mark, err);
    if (status != IMG_OK)
        img_error_prefix(err, "batch");
    return status;
}

/* Counts the inputs, which follow the steps. The last operand is OUTPUT_DIR, except with
 * --in-place. */
static ImgStatus count_inputs(const Args *args, size_t *inputs, ImgError *err)
{
    const Settings *settings = &args->settings;
    size_t rest = args->operand_count - 1, directory = settings->in_place ? 0 : 1;
    size_t least = directory + (settings->from_file == NULL ? 1 : 0);
    if (rest < least)
        return img_fail(err, IMG_E_USAGE,
                        "batch: %s; usage: imgtool batch %s INPUT... OUTPUT_DIR, or --in-place "
                        "INPUT...",
                        rest + 1 == least && directory == 1 && rest == 1
                            ? "OUTPUT_DIR is missing"
                            : "INPUT and OUTPUT_DIR are missing",
                        args->operands[0][0] != '\0' ? args->operands[0] : "''");
    *inputs = rest - directory;
    return IMG_OK;
}

/* Replaces {shard} in the name of the report, so that each part of the batch writes its own
 * report. */
static ImgStatus name_report(Settings *settings, const Shard *shard, char **report, ImgError *err)
{
    if (settings->report_file == NULL)
        return IMG_OK;
    settings->report_file = *report = shard_name(settings->report_file, shard);
    return *report != NULL ? IMG_OK : img_fail(err, IMG_E_MEMORY, "no memory");
}

static int run(const Args *args, const Shard *shard, const ImgStep *steps, size_t count,
               size_t inputs)
{
    ImgError err = {IMG_OK, ""};
    Settings settings = args->settings;
    settings.resume |= settings.steal != NULL;
    settings.optimizes = optimizes(args);
    if (settings.optimizes)
        settings.engine.backend = IMG_BACKEND_CPU;
    if (args->operands[0][0] == '@')
        settings.pipeline_file = args->operands[0] + 1;
    BatchPlan plan = BATCH_PLAN_NONE;
    plan.shard = *shard;
    const char *directory = settings.in_place ? NULL : args->operands[1 + inputs];
    char *report = NULL;
    int code;
    if (name_report(&settings, shard, &report, &err) == IMG_OK &&
        batch_plan_make(args->operands + 1, inputs, directory, &settings, &plan, &err) == IMG_OK &&
        clash_with_steps(&plan, steps, count, &err) == IMG_OK) {
        Batch batch = {&plan, steps, count, &settings};
        /* From here on, the first interrupt lets the files in progress finish. Until now there were
         * no such files, so an interrupt ended the program at once. */
        interrupt_defer_first();
        code = !settings.dry_run                          ? batch_run(&batch)
               : settings.shards > 0 && shard->count == 0 ? batch_print_shares(&batch)
                                                          : batch_print_plan(&batch);
    } else {
        img_error_prefix(&err, "batch");
        code = report_failure(&err);
    }
    batch_plan_free(&plan);
    free(report);
    interrupt_finish();
    return code;
}

static int merge(const Args *args)
{
    static const char *const options[] = {"json", "quiet", "verbose", NULL};
    ImgError err = {IMG_OK, ""};
    if (options_check_only(&args->settings, "batch merge-report", options, &err) != IMG_OK)
        return report_failure(&err);
    if (args->operand_count >= 2)
        return merge_reports(args->operands + 1, args->operand_count - 1, &args->settings);
    img_fail(&err, IMG_E_USAGE,
             "batch merge-report: there is nothing to merge; name the reports that 'batch "
             "--report' wrote");
    return report_failure(&err);
}

int cmd_batch(const Args *args)
{
    ImgError err = {IMG_OK, ""};
    ImgStep steps[IMG_STEPS_MAX];
    ImgStepFiles files = {.count = 0};
    Shard shard;
    size_t count = 0, inputs = 0;
    char mark[CARET_SIZE] = "";
    if (strcmp(args->operands[0], "stats") == 0)
        return batch_stats(args);
    if (strcmp(args->operands[0], "merge-report") == 0)
        return merge(args);
    interrupt_install();
    ImgStatus status = check_options(&args->settings, &err);
    if (status == IMG_OK)
        status = check_optimize(args, &err);
    if (status == IMG_OK && (status = shard_find(&args->settings, &shard, &err)) != IMG_OK)
        img_error_prefix(&err, "batch");
    if (status == IMG_OK)
        status = parse_steps(args, steps, &count, mark, &err);
    if (status == IMG_OK)
        status = count_inputs(args, &inputs, &err);
    Job job = {.steps = steps, .count = count, .options = &args->settings.engine};
    if (status == IMG_OK)
        status = img_job_check(&job, &err);
    if (status == IMG_OK)
        status = img_resources_load_step_files(&files, steps, count, &args->settings.engine, &err);
    int code =
        status == IMG_OK ? run(args, &shard, steps, count, inputs) : report_failure_at(&err, mark);
    img_step_files_free(&files);
    return code;
}
