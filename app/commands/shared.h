/* Functions that several commands share. */
#ifndef IMGTOOL_APP_COMMANDS_SHARED_H
#define IMGTOOL_APP_COMMANDS_SHARED_H

#include "app/cli/args.h"
#include "app/cli/command.h"
#include "app/files/inputs.h"
#include "app/serve/serve.h"

/* --- Commands on one picture: operations, `run` and `convert` --------------------------------- */

/* Runs a command on one picture, and returns its exit code. `served` is the environment of the
 * command if a server runs it, and NULL otherwise. */
int image_run(const Args *args, ServedPlace *served);

/* --- Commands on many pictures ---------------------------------------------------------------- */

/* Runs a command on the listed files, and returns its exit code. */
typedef int InputsFunction(const Args *args, const Inputs *inputs, void *context);

/* Lists the files that the first `count` operands and --from-file name, and calls `run` with them.
 * Returns the exit code. If they cannot be listed, prints the reason. */
int inputs_run(const Args *args, size_t count, InputsFunction *run, void *context);

/* --- The whole program, except its function main ---------------------------------------------- */

/* Parses the command line, calls `run` with it, and returns the exit code. */
int cli_main(int argc, char **argv, CommandFunction *run);

/* Runs the command, or prints the usage if the command line has no command. Returns the exit
 * code. */
int cli_run(const Args *args);

#endif
