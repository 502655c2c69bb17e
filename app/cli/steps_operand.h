/* `--pipeline FILE` of `run` and `batch`: the same as "@FILE" in the place of STEPS. */
#ifndef IMGTOOL_APP_CLI_STEPS_OPERAND_H
#define IMGTOOL_APP_CLI_STEPS_OPERAND_H

#include "app/cli/command.h"
#include "kernels/core/status.h"

/* Makes "@FILE", which is to stand before the other operands; the caller frees it. IMG_E_USAGE
 * where these have steps too, or `file` is empty. */
ImgStatus steps_operand_make(const Command *command, const char *file, const char *const *operands,
                             size_t count, char **operand, ImgError *err);

/* command_usage without STEPS, where --pipeline has them. */
const char *steps_operand_usage(const Command *command, char text[USAGE_SIZE]);

#endif
