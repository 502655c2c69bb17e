/* The program imgtool-bench, which `imgtool bench` starts by exec. */
#include "app/bench/modes.h"
#include "app/cli/args.h"
#include "app/commands/shared.h"

/* Runs the command bench in this program. All other commands run as in imgtool. */
static int run(const Args *args)
{
    bool bench = args->command != NULL && args->command->run == cmd_bench;
    return bench && !args->settings.help && !args->settings.version ? bench_command(args)
                                                                    : cli_run(args);
}

int main(int argc, char **argv)
{
    return cli_main(argc, argv, run);
}
