#include "app/commands/shared.h"

#include "app/cli/pipeline.h"
#include "app/engine/job.h"
#include "app/files/gather.h"
#include "app/sandbox/sandbox.h"
#include "app/term/interrupt.h"
#include "app/term/messages.h"

static int run(const Args *args, ImgStep *steps, size_t count, ManyFunction *function)
{
    ImgError err = {IMG_OK, ""};
    ImgStepFiles files = {.find = sandbox_find};
    Gathered gathered = {.streams = true};
    const Settings *settings = &args->settings;
    const size_t inputs = args->operand_count - 1;
    int code;
    if (gather_inputs(args->operands, inputs, NULL, settings, &gathered, &err) == IMG_OK) {
        inputs_note_left_out(&gathered.inputs, settings);
        code = function(&gathered.inputs, args->operands[inputs], steps, count, &files, settings);
        img_step_files_free(&files);
    } else {
        img_error_prefix(&err, "%s", args->command->name);
        code = report_failure(&err);
    }
    inputs_free(&gathered.inputs);
    return code;
}

int many_run(const Args *args, ManyFunction *function)
{
    ImgError err = {IMG_OK, ""};
    ImgStep steps[IMG_STEPS_MAX];
    size_t count = 0;
    char mark[CARET_SIZE] = "";
    ImgStatus status = IMG_OK;
    interrupt_install();
    if (args->settings.steps != NULL)
        status = pipeline_read(args->settings.steps, false, steps, &count, mark, &err);
    const Job job = {.steps = steps, .count = count, .options = &args->settings.engine};
    if (status == IMG_OK)
        status = job_check(&job, &err);
    if (status != IMG_OK)
        img_error_prefix(&err, "%s", args->command->name);
    const int code =
        status == IMG_OK ? run(args, steps, count, function) : report_failure_at(&err, mark);
    return code;
}
