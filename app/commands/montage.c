/* `imgtool montage INPUT... OUTPUT` */
#include "app/montage/montage.h"

#include "app/cli/args.h"
#include "app/cli/pipeline_file.h"
#include "app/files/gather.h"
#include "app/job/job.h"
#include "app/job/step_files.h"
#include "app/term/interrupt.h"
#include "app/term/messages.h"

static int make(const Args *args, const ImgStep *steps, size_t count)
{
    ImgError err = {IMG_OK, ""};
    Gathered gathered = {.streams = true};
    const size_t inputs = args->operand_count - 1;
    int code;
    if (gather_inputs(args->operands, inputs, NULL, &args->settings, &gathered, &err) == IMG_OK) {
        inputs_note_left_out(&gathered.inputs, &args->settings);
        const Montage montage = {.paths = gathered.inputs.paths,
                                 .count = gathered.inputs.count,
                                 .missing = gathered.inputs.failures,
                                 .output = args->operands[inputs],
                                 .steps = steps,
                                 .step_count = count,
                                 .settings = &args->settings};
        code = montage_run(&montage);
    } else {
        img_error_prefix(&err, "montage");
        code = report_failure(&err);
    }
    inputs_free(&gathered.inputs);
    return code;
}

int cmd_montage(const Args *args)
{
    ImgError err = {IMG_OK, ""};
    ImgStep steps[IMG_STEPS_MAX];
    StepFiles files = {NULL, 0};
    size_t count = 0;
    char mark[CARET_SIZE] = "";
    ImgStatus status = IMG_OK;
    interrupt_install();
    if (args->settings.steps != NULL)
        status = pipeline_read(args->settings.steps, steps, &count, mark, &err);
    const Job job = {.steps = steps, .count = count, .settings = &args->settings};
    if (status == IMG_OK)
        status = job_check(&job, &err);
    if (status == IMG_OK)
        status = step_files_load(&files, steps, count, &args->settings, &err);
    if (status != IMG_OK)
        img_error_prefix(&err, "montage");
    const int code = status == IMG_OK ? make(args, steps, count) : report_failure_at(&err, mark);
    step_files_free(&files);
    return code;
}
