/* Functions that args*.c and steps_operand.c share. */
#ifndef IMGTOOL_APP_CLI_ARGS_PRIV_H
#define IMGTOOL_APP_CLI_ARGS_PRIV_H

#include "app/cli/args.h"
#include "app/cli/command.h"
#include "kernels/core/status.h"

/* Returns the name of the command for messages. For an operation it is the name of the
 * operation. */
const char *args_name(const Args *args);

/* Checks the operands (args_operands.c). Inserts "@FILE" for --pipeline in front, and moves values
 * without an option name into `params`. Fails with IMG_E_USAGE if an operand is missing or
 * invalid. */
ImgStatus args_check_operands(Args *args, ImgError *err);

/* Returns whether the command accepts this option (args_unknown.c). Returns true if the command is
 * not yet known. */
bool args_applies(const Args *args, const Option *option);

/* Fail with IMG_E_USAGE: there is no such command, there is no such option, or the command does not
 * accept the option. The first two messages suggest the nearest existing name. `typed` is the
 * option with its dashes, and `whole` is the argument that contains it. */
ImgStatus args_unknown_command(const char *name, ImgError *err);
ImgStatus args_unknown_option(const Args *args, const char *typed, const char *whole,
                              ImgError *err);
ImgStatus args_wrong_place(const Args *args, const Option *option, ImgError *err);

/* --- --pipeline FILE -----------------------------------------------------------------------------
 *
 * The option --pipeline FILE of `run` and `batch`, which means the same as "@FILE" in place of
 * STEPS. */

/* Makes the operand "@FILE" from `file`, to be inserted before the other operands. The caller frees
 * it. Fails with IMG_E_USAGE if `operands` also contain steps, or if `file` is empty. */
ImgStatus steps_operand_make(const Command *command, const char *file, const char *const *operands,
                             size_t count, char **operand, ImgError *err);

/* Writes the usage line of the command, with --pipeline FILE in place of STEPS, and returns it. */
const char *steps_operand_usage(const Command *command, char text[USAGE_SIZE]);

#endif
