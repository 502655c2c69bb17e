/* Private to the parts of args.c. */
#ifndef IMGTOOL_APP_CLI_ARGS_PRIV_H
#define IMGTOOL_APP_CLI_ARGS_PRIV_H

#include "app/cli/args.h"

/* What messages call the command: an operation by its own name. */
const char *args_name(const Args *args);

/* args_operands.c. What stands by itself goes where it belongs: steps that an option gave to the
 * front, a value without its option into `params`. Then IMG_E_USAGE where an operand is missing, or
 * cannot be one. */
ImgStatus args_check_operands(Args *args, ImgError *err);

/* args_unknown.c. Is the option for this command? Before the command is known, every option may be.
 */
bool args_applies(const Args *args, const Option *option);

/* All return IMG_E_USAGE, with the nearest name that there is. `typed` is the name with its dashes,
 * `whole` the argument that it stands in. */
ImgStatus args_unknown_command(const char *name, ImgError *err);
ImgStatus args_unknown_option(const Args *args, const char *typed, const char *whole,
                              ImgError *err);
ImgStatus args_wrong_place(const Args *args, const Option *option, ImgError *err);

#endif
