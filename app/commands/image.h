/* Commands on one picture: operations, `run` and `convert`. */
#ifndef IMGTOOL_APP_COMMANDS_IMAGE_H
#define IMGTOOL_APP_COMMANDS_IMAGE_H

#include "app/serve/serve.h"

/* Does such a command, for a server or, where `served` is NULL, here. Returns the exit code. */
int image_run(const Args *args, ServedPlace *served);

#endif
