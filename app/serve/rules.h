/* Rules about the commands that a server accepts. */
#ifndef IMGTOOL_APP_SERVE_RULES_H
#define IMGTOOL_APP_SERVE_RULES_H

#include "app/cli/args.h"

/* Checks that the command works on one picture, and that its paths mean the same in client and
 * server. Both of them call it. IMG_E_USAGE with a message that says what to do. */
ImgStatus rules_check_command(const Args *args, ImgError *err);

/* Checks the files of the command, in the server and in the client's directory. Rejects inputs and
 * outputs that are pipes or devices, which could block the server, and paths through procfs. */
ImgStatus rules_check_files(const Args *args, ImgError *err);

/* Checks one file by the same rules. For an output in a directory, whose name follows from the
 * input. */
ImgStatus rules_check_file(const char *file, ImgError *err);

#endif
