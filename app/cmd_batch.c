/* `imgtool batch OP|STEPS [options] INPUT... OUTPUT_DIR` */
#include <string.h>

#include "app/args.h"
#include "app/batch/run.h"
#include "app/batch/stats.h"
#include "app/interrupt.h"
#include "app/pipeline.h"
#include "app/report.h"

static ImgStatus refuse(ImgError *err, const char *option, const char *why)
{
    return img_fail(err, IMG_E_USAGE, "batch: --%s %s", option, why);
}

/* Options that belong to `batch stats`, and those that exclude each other. */
static ImgStatus check_options(const Settings *settings, ImgError *err)
{
    static const char *const of_stats[] = {"luma", "skip-transparent", "percentiles", "json",
                                           "csv"};
    for (size_t i = 0; i < sizeof of_stats / sizeof *of_stats; i++)
        if (option_given(settings, of_stats[i]))
            return refuse(err, of_stats[i], "is for 'imgtool batch stats'; leave it out");
    if (settings->resume && settings->newer)
        return refuse(err, "resume", "and --newer are two rules for what to skip; choose one");
    if (settings->in_place && settings->newer)
        return refuse(err, "newer",
                      "compares an input with its output, which --in-place makes one "
                      "file; use --resume");
    if (settings->null_separated && settings->from_file == NULL)
        return refuse(err, "null", "says how the names in a list end; name one with --from-file");
    return IMG_OK;
}

static ImgStatus parse_steps(const Args *args, ImgStep steps[IMG_STEPS_MAX], size_t *count,
                             ImgError *err)
{
    if (args->op != NULL) {
        steps[0] = (ImgStep){.op = args->op, .params = args->params};
        *count = 1;
        return IMG_OK;
    }
    ImgStatus status = pipeline_parse(args->operands[0], steps, count, err);
    if (status != IMG_OK)
        img_error_prefix(err, "batch");
    return status;
}

/* How many of the operands behind the steps are inputs; the last one is no input, unless files are
 * replaced. */
static ImgStatus count_inputs(const Args *args, size_t *inputs, ImgError *err)
{
    const Settings *settings = &args->settings;
    size_t rest = args->operand_count - 1, folder = settings->in_place ? 0 : 1;
    size_t least = folder + (settings->from_file == NULL ? 1 : 0);
    if (rest < least)
        return img_fail(err, IMG_E_USAGE,
                        "batch: %s; usage: imgtool batch %s INPUT... OUTPUT_DIR, or --in-place "
                        "INPUT...",
                        rest + 1 == least && folder == 1 && rest == 1
                            ? "OUTPUT_DIR is missing"
                            : "INPUT and OUTPUT_DIR are missing",
                        args->operands[0]);
    *inputs = rest - folder;
    return IMG_OK;
}

static int run(const Args *args, const ImgStep *steps, size_t count, size_t inputs)
{
    ImgError err = {IMG_OK, ""};
    const Settings *settings = &args->settings;
    BatchPlan plan = BATCH_PLAN_NONE;
    const char *folder = settings->in_place ? NULL : args->operands[1 + inputs];
    int code;
    if (batch_plan_make(args->operands + 1, inputs, folder, settings, &plan, &err) == IMG_OK) {
        Batch batch = {&plan, steps, count, settings};
        interrupt_ask_first(); /* there was nothing to finish before */
        code = settings->dry_run ? batch_print_plan(&batch) : batch_run(&batch);
    } else {
        img_error_prefix(&err, "batch");
        code = report_failure(&err);
    }
    batch_plan_free(&plan);
    interrupt_finish();
    return code;
}

int cmd_batch(const Args *args)
{
    ImgError err = {IMG_OK, ""};
    ImgStep steps[IMG_STEPS_MAX];
    size_t count = 0, inputs = 0;
    if (strcmp(args->operands[0], "stats") == 0)
        return batch_stats(args);
    interrupt_install();
    ImgStatus status = check_options(&args->settings, &err);
    if (status == IMG_OK)
        status = parse_steps(args, steps, &count, &err);
    if (status == IMG_OK)
        status = count_inputs(args, &inputs, &err);
    Job job = {.steps = steps, .count = count, .settings = &args->settings};
    if (status == IMG_OK)
        status = job_check(&job, &err);
    return status == IMG_OK ? run(args, steps, count, inputs) : report_failure(&err);
}
