/* Starts a background process and waits until it is ready. */
#ifndef IMGTOOL_APP_SERVE_DETACH_H
#define IMGTOOL_APP_SERVE_DETACH_H

#include <stdbool.h>

#include "kernels/core/status.h"

/* Forks. Call it before any thread is created. In the caller *child is false, and the function
 * returns after the child is ready or has failed; *code is the child's exit code. In the child
 * *child is true, and *ready is the argument for detach_ready. The child has its own session, and
 * keeps only the standard streams of the caller's descriptors. */
ImgStatus detach(bool *child, int *ready, int *code, ImgError *err);

/* Call it in the child: lets the caller return, and redirects the standard streams to /dev/null. */
void detach_ready(int ready);

#endif
