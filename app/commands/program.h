/* The whole program except main. */
#ifndef IMGTOOL_APP_COMMANDS_PROGRAM_H
#define IMGTOOL_APP_COMMANDS_PROGRAM_H

#include "app/cli/command.h"

/* Parses the command line, runs it with `run`, and returns the exit code. */
int cli_main(int argc, char **argv, CommandFunction *run);

/* Runs any command, or prints the usage if there is none. */
int cli_run(const Args *args);

#endif
