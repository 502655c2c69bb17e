/* Runs commands on many pictures that take one more operand: `imgtool montage INPUT... OUTPUT` and
 * `imgtool tiles INPUT... PATTERN`. */
#include "app/commands/shared.h"

#include "app/cli/pipeline.h"
#include "app/engine/job.h"
#include "app/engine/share/resources.h"
#include "app/files/gather.h"
#include "app/files/made_files.h"
#include "app/montage/montage.h"
#include "app/sandbox/sandbox.h"
#include "app/term/interrupt.h"
#include "app/term/messages.h"
#include "app/tiles/tiles.h"

/* Runs a command on many pictures, and returns its exit code. `last` is the last operand. The
 * function must load the files that steps name into `files`. */
typedef int ManyFunction(const Inputs *inputs, const char *last, ImgStep *steps, size_t count,
                         ImgStepFiles *files, const Settings *settings);

/* The function, and the steps for each picture. */
typedef struct Many {
    ImgStep steps[IMG_STEPS_MAX];
    size_t count;
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
    const int code = many->function(inputs, args->operands[args->operand_count - 1], many->steps,
                                    many->count, &files, &args->settings);
    img_step_files_free(&files);
    return code;
}

/* Collects the inputs, reads --steps, and calls `function`. Returns the exit code. */
static int many_run(const Args *args, ManyFunction *function)
{
    ImgError err = {IMG_OK, ""};
    Many many = {.count = 0, .function = function};
    char mark[CARET_SIZE] = "";
    ImgStatus status = IMG_OK;
    interrupt_install();
    if (args->settings.steps != NULL)
        status = pipeline_read(args->settings.steps, false, many.steps, &many.count, mark, &err);
    const Job job = {.steps = many.steps, .count = many.count, .options = &args->settings.engine};
    if (status == IMG_OK)
        status = img_job_check(&job, &err);
    if (status != IMG_OK)
        img_error_prefix(&err, "%s", args->command->name);
    return status == IMG_OK ? inputs_run(args, args->operand_count - 1, run, &many)
                            : report_failure_at(&err, mark);
}

static int montage(const Inputs *inputs, const char *last, ImgStep *steps, size_t count,
                   ImgStepFiles *files, const Settings *settings)
{
    Sandbox sandbox = {.may_use_gpu = true, .for_many = true};
    const Montage montage = {.paths = inputs->paths,
                             .count = inputs->count,
                             .missing = inputs->failures,
                             .output = last,
                             .steps = steps,
                             .step_count = count,
                             .step_files = files,
                             .sandbox = &sandbox,
                             .settings = settings};
    const int code = montage_run(&montage);
    sandbox_free(&sandbox);
    return code;
}

int cmd_montage(const Args *args)
{
    return many_run(args, montage);
}

static int cut(const Inputs *inputs, const char *last, ImgStep *steps, size_t count,
               ImgStepFiles *files, const Settings *settings)
{
    ImgError err = {IMG_OK, ""};
    if (img_resources_load_step_files(files, steps, count, &settings->engine, &err) != IMG_OK) {
        img_error_prefix(&err, "tiles");
        return report_failure(&err);
    }
    MadeFiles *made = made_files_create();
    if (made == NULL) {
        (void)img_fail(&err, IMG_E_MEMORY, "tiles: no memory");
        return report_failure(&err);
    }
    const Tiles tiles = {.paths = inputs->paths,
                         .count = inputs->count,
                         .missing = inputs->failures,
                         .missing_code = inputs->failure_code,
                         .pattern = last,
                         .steps = steps,
                         .step_count = count,
                         .settings = settings,
                         .guard = made_files_guard(made)};
    const int code = tiles_run(&tiles);
    made_files_free(made);
    return code;
}

int cmd_tiles(const Args *args)
{
    return many_run(args, cut);
}
