/* Commands on one picture: operations, `run` and `convert`. */
#ifndef IMGTOOL_APP_COMMANDS_IMAGE_H
#define IMGTOOL_APP_COMMANDS_IMAGE_H

#include "app/serve/serve.h"

/* Runs such a command, for a client of the server or, if `served` is NULL, for this process.
 * Returns the exit code. */
int image_run(const Args *args, ServedPlace *served);

#endif
