/* Commands that take many inputs, then one more operand, and steps for each input. */
#ifndef IMGTOOL_APP_COMMANDS_MANY_H
#define IMGTOOL_APP_COMMANDS_MANY_H

#include "app/cli/args.h"
#include "app/files/inputs.h"
#include "io/step_files.h"

/* What they do; returns the exit code. `last` is the last operand. Files that steps name are not
 * read yet; they are to be loaded to `files`. */
typedef int ManyFunction(const Inputs *inputs, const char *last, ImgStep *steps, size_t count,
                         ImgStepFiles *files, const Settings *settings);

/* Gathers the inputs, reads --steps, and has the rest done. */
int many_run(const Args *args, ManyFunction *function);

#endif
