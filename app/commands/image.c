/* `imgtool OP INPUT OUTPUT`, `imgtool convert INPUT OUTPUT` and `imgtool run STEPS INPUT OUTPUT`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/cli/args.h"
#include "app/cli/pipeline_file.h"
#include "app/files/output_name.h"
#include "app/job/explain.h"
#include "app/job/job.h"
#include "app/term/interrupt.h"
#include "app/term/messages.h"

/* Then the original of what is dropped would be gone. */
static bool replaces_input(const char *input, const char *output)
{
    struct stat from, to;
    return strcmp(input, "-") != 0 && strcmp(output, "-") != 0 && stat(input, &from) == 0 &&
           stat(output, &to) == 0 && from.st_dev == to.st_dev && from.st_ino == to.st_ino;
}

/* The last two operands are INPUT and OUTPUT. */
static int run_job(const Args *args, ImgStep *steps, size_t count)
{
    const Settings *settings = &args->settings;
    const char *const *files = args->operands + args->operand_count - 2;
    ImgFileFormat format = (ImgFileFormat)settings->output_format;
    ImgError err = {IMG_OK, ""};
    JobReport report;
    char *output = NULL;
    interrupt_install();
    ImgStatus status = output_name(files[0], files[1], settings->output_format, &output, &err);
    bool replaces = status == IMG_OK && replaces_input(files[0], output);
    Job job = {
        .input = files[0],
        .output = output,
        .steps = steps,
        .count = count,
        .settings = settings,
        .refuses_animation = settings->force == 0,
        .refuses_dropping = settings->force == 0 && replaces,
        .format = settings->output_format >= 0 ? &format : NULL,
    };
    if (status == IMG_OK)
        status = job_check(&job, &err);
    if (status == IMG_OK)
        status = job_run(&job, &report, &err);
    if (status == IMG_OK)
        explain(&job, &report);
    free(output);
    return status == IMG_OK ? 0 : report_failure(&err);
}

int cmd_image(const Args *args)
{
    ImgStep step = {.op = args->op, .params = args->params};
    return run_job(args, &step, 1);
}

int cmd_convert(const Args *args)
{
    return run_job(args, NULL, 0);
}

int cmd_run(const Args *args)
{
    ImgError err = {IMG_OK, ""};
    ImgStep steps[IMG_STEPS_MAX];
    size_t count;
    if (pipeline_read(args->operands[0], steps, &count, &err) != IMG_OK) {
        img_error_prefix(&err, "run");
        return report_failure(&err);
    }
    return run_job(args, steps, count);
}
