/* Functions that several commands share. */
#ifndef IMGTOOL_APP_COMMANDS_SHARED_H
#define IMGTOOL_APP_COMMANDS_SHARED_H

#include "app/cli/args.h"
#include "app/cli/command.h"
#include "app/files/inputs.h"
#include "app/serve/serve.h"
#include "io/step_files.h"

/* --- Commands on one picture: operations, `run` and `convert` --------------------------------- */

/* Runs a command on one picture, and returns its exit code. `served` is the client's place if a
 * server runs the command, and NULL otherwise. */
int image_run(const Args *args, ServedPlace *served);

/* --- Commands on many pictures -------------------------------------------------------------------
 *
 * Common part of commands on many inputs that take one more operand, and --steps for each input. */

/* Runs a command on many pictures, and returns its exit code. `last` is the last operand. The
 * function must load the files that steps name into `files`. */
typedef int ManyFunction(const Inputs *inputs, const char *last, ImgStep *steps, size_t count,
                         ImgStepFiles *files, const Settings *settings);

/* Collects the inputs, reads --steps, and calls `function`. Returns the exit code. */
int many_run(const Args *args, ManyFunction *function);

/* --- The whole program, except its function main ---------------------------------------------- */

/* Parses the command line, calls `run` with it, and returns the exit code. */
int cli_main(int argc, char **argv, CommandFunction *run);

/* Runs the command, or prints the usage if the command line has no command. Returns the exit
 * code. */
int cli_run(const Args *args);

#endif
