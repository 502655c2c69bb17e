/* `--pipeline FILE` of `run` and `batch`: equals "@FILE" as the STEPS operand. */
#ifndef IMGTOOL_APP_CLI_STEPS_OPERAND_H
#define IMGTOOL_APP_CLI_STEPS_OPERAND_H

#include "app/cli/command.h"
#include "kernels/core/status.h"

/* Makes the operand "@FILE", which goes before the others; the caller frees it. IMG_E_USAGE if the
 * other operands contain steps too, or `file` is empty. */
ImgStatus steps_operand_make(const Command *command, const char *file, const char *const *operands,
                             size_t count, char **operand, ImgError *err);

/* Prints command_usage with --pipeline FILE instead of STEPS. */
const char *steps_operand_usage(const Command *command, char text[USAGE_SIZE]);

#endif
