/* `imgtool montage INPUT... OUTPUT` */
#include "app/montage/montage.h"

#include "app/commands/many.h"

static int montage(const Inputs *inputs, const char *last, const ImgStep *steps, size_t count,
                   const Settings *settings)
{
    const Montage montage = {.paths = inputs->paths,
                             .count = inputs->count,
                             .missing = inputs->failures,
                             .output = last,
                             .steps = steps,
                             .step_count = count,
                             .settings = settings};
    return montage_run(&montage);
}

int cmd_montage(const Args *args)
{
    return many_run(args, montage);
}
