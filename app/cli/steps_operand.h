/* The option --pipeline FILE of `run` and `batch`, which means the same as "@FILE" in place of
 * STEPS. */
#ifndef IMGTOOL_APP_CLI_STEPS_OPERAND_H
#define IMGTOOL_APP_CLI_STEPS_OPERAND_H

#include "app/cli/command.h"
#include "kernels/core/status.h"

/* Makes the operand "@FILE", to be inserted before the others. The caller frees it. Fails with
 * IMG_E_USAGE if `operands` also contain steps, or if `file` is empty. */
ImgStatus steps_operand_make(const Command *command, const char *file, const char *const *operands,
                             size_t count, char **operand, ImgError *err);

/* Writes the usage line of the command, with --pipeline FILE in place of STEPS, and returns it. */
const char *steps_operand_usage(const Command *command, char text[USAGE_SIZE]);

#endif
