/* Runs the commands that take many pictures and one more operand: `imgtool montage INPUT... OUTPUT`
 * and `imgtool tiles INPUT... PATTERN`. */
#include "app/commands/shared.h"

#include "app/cli/pipeline.h"
#include "app/engine/job.h"
#include "app/files/gather.h"
#include "app/montage/montage.h"
#include "app/sandbox/sandbox.h"
#include "app/term/interrupt.h"
#include "app/term/messages.h"
#include "app/tiles/tiles.h"

/* The inputs, the steps to run on each of them, and the function that then runs the command. */
typedef struct Many {
    ManyPictures pictures;
    ImgStep steps[IMG_STEPS_MAX];
    ManyFunction *function;
} Many;

int inputs_run(const Args *args, size_t count, InputsFunction *run, void *context)
{
    ImgError err = {IMG_OK, ""};
    Gathered gathered = {.streams = true};
    int code;
    if (gather_inputs(args->operands, count, NULL, &args->settings, &gathered, &err) == IMG_OK) {
        inputs_note_left_out(&gathered.inputs, &args->settings);
        code = run(args, &gathered.inputs, context);
    } else {
        img_error_prefix(&err, "%s", args->command->name);
        code = report_failure(&err);
    }
    inputs_free(&gathered.inputs);
    return code;
}

static int run(const Args *args, const Inputs *inputs, void *context)
{
    Many *many = context;
    ImgStepFiles files = {.find = sandbox_find};
    many->pictures.inputs = inputs;
    many->pictures.last = args->operands[args->operand_count - 1];
    many->pictures.step_files = &files;
    const int code = many->function(&many->pictures);
    img_step_files_free(&files);
    return code;
}

/* Collects the inputs, reads --steps, and calls `function`. Returns the exit code. */
static int many_run(const Args *args, ManyFunction *function)
{
    ImgError err = {IMG_OK, ""};
    Many many = {.pictures = {.steps = many.steps, .settings = &args->settings},
                 .function = function};
    size_t *count = &many.pictures.step_count;
    char mark[CARET_SIZE] = "";
    ImgStatus status = IMG_OK;
    interrupt_install();
    if (args->settings.steps != NULL)
        status = pipeline_read(args->settings.steps, false, many.steps, count, mark, &err);
    const Job job = {.steps = many.steps, .count = *count, .options = &args->settings.engine};
    if (status == IMG_OK)
        status = img_job_check(&job, &err);
    if (status != IMG_OK)
        img_error_prefix(&err, "%s", args->command->name);
    return status == IMG_OK ? inputs_run(args, args->operand_count - 1, run, &many)
                            : report_failure_at(&err, mark);
}

int cmd_montage(const Args *args)
{
    return many_run(args, montage_run);
}

int cmd_tiles(const Args *args)
{
    return many_run(args, tiles_run);
}
