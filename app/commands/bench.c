/* Runs `imgtool bench` by starting the program imgtool-bench (app/bench/command.c). */
#include "app/cli/args.h"
#include "app/helper/helper.h"
#include "app/term/messages.h"

int cmd_bench(const Args *args)
{
    ImgError err = {IMG_OK, ""};
    (void)helper_become(HELPER_BENCH, args->argv, &err);
    img_error_prefix(&err, "bench");
    return report_failure(&err);
}
