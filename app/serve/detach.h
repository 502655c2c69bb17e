/* Starts a background process and waits until it is ready. */
#ifndef IMGTOOL_APP_SERVE_DETACH_H
#define IMGTOOL_APP_SERVE_DETACH_H

#include <stdbool.h>

#include "kernels/core/status.h"

/* Forks this process. Call it before any thread is created. In the caller, *child is false. The
 * function returns there when the child is ready or has failed, and *code is the exit code for the
 * caller. In the child, *child is true, and *ready is the argument for detach_ready. The child has
 * its own session. Of the caller's descriptors it keeps only the standard streams. */
ImgStatus detach(bool *child, int *ready, int *code, ImgError *err);

/* Reports that the child is ready, so that the caller returns. Redirects the standard streams to
 * /dev/null. Call it in the child. */
void detach_ready(int ready);

#endif
