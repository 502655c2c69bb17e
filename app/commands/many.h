/* Common part of commands on many inputs that take one more operand, and --steps for each input. */
#ifndef IMGTOOL_APP_COMMANDS_MANY_H
#define IMGTOOL_APP_COMMANDS_MANY_H

#include "app/cli/args.h"
#include "app/files/inputs.h"
#include "io/step_files.h"

/* Runs the command and returns the exit code. `last` is the last operand. Files that steps name
 * must still be loaded into `files`. */
typedef int ManyFunction(const Inputs *inputs, const char *last, ImgStep *steps, size_t count,
                         ImgStepFiles *files, const Settings *settings);

/* Gathers the inputs, reads --steps, and calls `function`. Returns the exit code. */
int many_run(const Args *args, ManyFunction *function);

#endif
