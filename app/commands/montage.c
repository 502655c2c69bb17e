/* Runs `imgtool montage INPUT... OUTPUT`. */
#include "app/montage/montage.h"

#include "app/commands/shared.h"

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
