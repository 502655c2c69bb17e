#include "app/cli.h"

#include <stdio.h>

#include "app/args.h"
#include "app/exit_code.h"
#include "app/report.h"

static int short_usage(void)
{
    fputs("usage: imgtool OPERATION [options] INPUT OUTPUT\n"
          "       imgtool COMMAND ...\n"
          "\n"
          "'imgtool help' lists operations, commands and options.\n",
          stderr);
    return CLI_BAD_USAGE;
}

static int dispatch(const Args *args)
{
    if (args->settings.version)
        return cmd_version(args);
    if (args->settings.help)
        return cmd_help(args);
    if (args->command == NULL)
        return short_usage();
    return args->command->run(args);
}

int cli_main(int argc, char **argv)
{
    ImgError err = {IMG_OK, ""};
    Args args;
    report_guard_streams();
    int code =
        args_parse(argc, argv, &args, &err) == IMG_OK ? dispatch(&args) : report_failure(&err);
    args_free(&args);

    ImgError late = {IMG_OK, ""};
    if (report_finish_stdout(&late) != IMG_OK) {
        int late_code = report_failure(&late);
        code = code == CLI_OK ? late_code : code;
    }
    return code;
}
