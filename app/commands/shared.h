/* Functions that several commands share. */
#ifndef IMGTOOL_APP_COMMANDS_SHARED_H
#define IMGTOOL_APP_COMMANDS_SHARED_H

#include "app/cli/args.h"
#include "app/cli/command.h"
#include "app/serve/serve.h"

/* --- Commands on one picture: operations, `run` and `convert` --------------------------------- */

/* Runs a command on one picture, and returns its exit code. `served` is the environment of the
 * command if a server runs it, and NULL otherwise. */
int image_run(const Args *args, ServedPlace *served);

/* --- The whole program, except its function main ---------------------------------------------- */

/* Parses the command line, calls `run` with it, and returns the exit code. */
int cli_main(int argc, char **argv, CommandFunction *run);

/* Runs the command, or prints the usage if the command line has no command. Returns the exit
 * code. */
int cli_run(const Args *args);

#endif
