/* Which commands a server does. */
#ifndef IMGTOOL_APP_SERVE_RULES_H
#define IMGTOOL_APP_SERVE_RULES_H

#include "app/cli/args.h"

/* Checked by client and server: a command on one picture, by names that mean the same to both of
 * them. IMG_E_USAGE says what to do. */
ImgStatus rules_check_command(const Args *args, ImgError *err);

/* By the server, in the client's directory: neither input nor output is a pipe or a device, which
 * would have it wait for others, or is its own. */
ImgStatus rules_check_files(const Args *args, ImgError *err);

/* The same of one: of the output, whose name follows from the input's where a directory is given.
 */
ImgStatus rules_check_file(const char *file, ImgError *err);

#endif
