/* The whole program, but for `main`. */
#ifndef IMGTOOL_APP_COMMANDS_RUN_H
#define IMGTOOL_APP_COMMANDS_RUN_H

#include "app/cli/command.h"

/* Takes the command line apart, has it done by `run`, and returns the exit code. */
int cli_main(int argc, char **argv, CommandFunction *run);

/* Any command, and the usage where there is none. */
int cli_run(const Args *args);

#endif
