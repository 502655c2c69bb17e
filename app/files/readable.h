/* The sandbox of commands that read files and write none. */
#ifndef IMGTOOL_APP_FILES_READABLE_H
#define IMGTOOL_APP_FILES_READABLE_H

#include "app/files/inputs.h"
#include "app/sandbox/sandbox.h"

/* Enters the sandbox, and returns the same inputs by names that can be opened in there. They are
 * valid as long as both the inputs and the sandbox are, and not to be freed. */
Inputs inputs_in_sandbox(const Inputs *inputs, const Settings *settings, Sandbox *sandbox);

#endif
