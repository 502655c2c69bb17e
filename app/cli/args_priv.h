/* Private interface between args.c, args_operands.c and args_unknown.c. */
#ifndef IMGTOOL_APP_CLI_ARGS_PRIV_H
#define IMGTOOL_APP_CLI_ARGS_PRIV_H

#include "app/cli/args.h"

/* Returns the name of the command for messages: of an operation its own name. */
const char *args_name(const Args *args);

/* Sorts out the operands (args_operands.c). Inserts the steps of --pipeline in front, and moves
 * values without an option name into `params`. IMG_E_USAGE if an operand is missing or invalid. */
ImgStatus args_check_operands(Args *args, ImgError *err);

/* Returns whether the command takes this option; true as long as the command is unknown
 * (args_unknown.c). */
bool args_applies(const Args *args, const Option *option);

/* Return IMG_E_USAGE with the nearest existing name. `typed` is the name with its dashes, and
 * `whole` the argument that contains it. */
ImgStatus args_unknown_command(const char *name, ImgError *err);
ImgStatus args_unknown_option(const Args *args, const char *typed, const char *whole,
                              ImgError *err);
ImgStatus args_wrong_place(const Args *args, const Option *option, ImgError *err);

#endif
