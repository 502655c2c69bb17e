/* Rules for the commands that a server accepts. */
#ifndef IMGTOOL_APP_SERVE_RULES_H
#define IMGTOOL_APP_SERVE_RULES_H

#include "app/cli/args.h"

/* Checked by client and server: the command works on one picture, and its paths mean the same in
 * both processes. IMG_E_USAGE with a message that says what to do. */
ImgStatus rules_check_command(const Args *args, ImgError *err);

/* Checked by the server in the client's directory. Rejects inputs and outputs that are pipes or
 * devices, which could block it, and paths through procfs. */
ImgStatus rules_check_files(const Args *args, ImgError *err);

/* Checks one file. Used for an output whose name follows from the input, if a directory is
 * given. */
ImgStatus rules_check_file(const char *file, ImgError *err);

#endif
