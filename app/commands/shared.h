/* Functions that several commands share. */
#ifndef IMGTOOL_APP_COMMANDS_SHARED_H
#define IMGTOOL_APP_COMMANDS_SHARED_H

#include "app/cli/args.h"
#include "app/files/inputs.h"
#include "app/serve/serve.h"
#include "io/step_files.h"

/* --- Commands on one picture: operations, `run` and `convert` --------------------------------- */

/* Runs such a command, for a client of the server or, if `served` is NULL, for this process.
 * Returns the exit code. */
int image_run(const Args *args, ServedPlace *served);

/* --- Commands on many pictures -------------------------------------------------------------------
 *
 * Common part of commands on many inputs that take one more operand, and --steps for each input. */

/* Runs the command and returns the exit code. `last` is the last operand. Files that steps name
 * must still be loaded into `files`. */
typedef int ManyFunction(const Inputs *inputs, const char *last, ImgStep *steps, size_t count,
                         ImgStepFiles *files, const Settings *settings);

/* Gathers the inputs, reads --steps, and calls `function`. Returns the exit code. */
int many_run(const Args *args, ManyFunction *function);

#endif
