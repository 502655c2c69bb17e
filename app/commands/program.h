/* The whole program, except its function main. */
#ifndef IMGTOOL_APP_COMMANDS_PROGRAM_H
#define IMGTOOL_APP_COMMANDS_PROGRAM_H

#include "app/cli/command.h"

/* Parses the command line, calls `run` with it, and returns the exit code. */
int cli_main(int argc, char **argv, CommandFunction *run);

/* Runs the command, or prints the usage if the command line has no command. Returns the exit
 * code. */
int cli_run(const Args *args);

#endif
