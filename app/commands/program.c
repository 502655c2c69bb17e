#include "app/commands/shared.h"

#include <stdio.h>

#include "app/cli/args.h"
#include "app/cli/exit_code.h"
#include "app/engine/share/resources.h"
#include "app/helper/helper.h"
#include "app/term/messages.h"
#include "app/text/streams.h"

static int short_usage(void)
{
    fputs("usage: imgtool OPERATION [options] INPUT OUTPUT\n"
          "       imgtool COMMAND ...\n"
          "\n"
          "'imgtool help' lists operations, commands and options.\n",
          stderr);
    return CLI_BAD_USAGE;
}

/* If --max-memory was given, limits the freed memory that the C library keeps for this process.
 * Commands on many pictures set a more precise limit later. */
static void keep_within_limit(const Settings *settings)
{
    if (settings->engine.max_memory != 0)
        img_resources_keep_memory(&settings->engine, settings->engine.max_memory,
                                  img_resources_wanted_threads(&settings->engine));
}

/* Starts the program imgtool-bench (app/bench/command.c) in place of this one. */
int cmd_bench(const Args *args)
{
    ImgError err = {IMG_OK, ""};
    (void)helper_become(HELPER_BENCH, args->argv, &err);
    img_error_prefix(&err, "bench");
    return report_failure(&err);
}

int cli_run(const Args *args)
{
    if (args->settings.version)
        return cmd_version(args);
    if (args->settings.help)
        return cmd_help(args);
    if (args->command == NULL)
        return short_usage();
    keep_within_limit(&args->settings);
    return args->command->run(args);
}

int cli_main(int argc, char **argv, CommandFunction *run)
{
    ImgError err = {IMG_OK, ""};
    Args args;
    img_streams_guard();
    const ImgStatus status = args_parse(argc, argv, &args, &err);
    args.settings.engine.program = report_program();
    int code = status == IMG_OK ? run(&args) : report_failure(&err);
    args_free(&args);

    ImgError late = {IMG_OK, ""};
    if (img_streams_finish_stdout(&late) != IMG_OK) {
        int late_code = report_failure(&late);
        code = code == CLI_OK ? late_code : code;
    }
    return code;
}
