/* `imgtool OP INPUT OUTPUT` and `imgtool run STEPS INPUT OUTPUT`. */
#include <stdio.h>

#include "app/args.h"
#include "app/explain.h"
#include "app/interrupt.h"
#include "app/job.h"
#include "app/pipeline.h"
#include "app/report.h"

static int run_job(const Job *job)
{
    ImgError err = {IMG_OK, ""};
    JobReport report;
    interrupt_install();
    ImgStatus status = job_check(job, &err);
    if (status == IMG_OK)
        status = job_run(job, &report, &err);
    if (status != IMG_OK)
        return report_failure(&err);
    explain(job, &report);
    return 0;
}

int cmd_image(const Args *args)
{
    ImgStep step = {.op = args->op, .params = args->params};
    Job job = {
        .input = args->operands[0],
        .output = args->operands[1],
        .steps = &step,
        .count = 1,
        .settings = &args->settings,
    };
    return run_job(&job);
}

int cmd_run(const Args *args)
{
    ImgError err = {IMG_OK, ""};
    ImgStep steps[IMG_STEPS_MAX];
    Job job = {
        .input = args->operands[1],
        .output = args->operands[2],
        .steps = steps,
        .settings = &args->settings,
    };
    if (pipeline_parse(args->operands[0], steps, &job.count, &err) != IMG_OK) {
        img_error_prefix(&err, "run");
        return report_failure(&err);
    }
    return run_job(&job);
}
