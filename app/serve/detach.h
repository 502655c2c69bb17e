/* A process that goes on in the background once it is ready. */
#ifndef IMGTOOL_APP_SERVE_DETACH_H
#define IMGTOOL_APP_SERVE_DETACH_H

#include <stdbool.h>

#include "kernels/core/status.h"

/* Before there is any thread. In the caller, *child is false, once the child is ready or has
 * failed; *code is the exit code of that. In the child, which has a session of its own and, but for
 * the standard ones, none of the caller's descriptors, *child is true; *ready is for detach_ready.
 */
ImgStatus detach(bool *child, int *ready, int *code, ImgError *err);

/* By the child: lets the caller return, and the standard streams go. */
void detach_ready(int ready);

#endif
