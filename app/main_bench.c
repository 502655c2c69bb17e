/* imgtool-bench, which imgtool becomes by exec where something is to be measured. */
#include "app/bench/command.h"
#include "app/cli/args.h"
#include "app/commands/run.h"

/* What is not its own it does as imgtool does. */
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
