/* Finds and starts the two helper programs: imgtool-bench, which measures, and imgtool-plot, which
 * draws. The libraries for drawing end a process that lacks memory even before main starts, so
 * imgtool itself is not linked with them. Each helper has its own Debian package, so it can be
 * missing. The helpers are in libexec/imgtool of the installation or, in a build, in the directory
 * of imgtool. */
#ifndef IMGTOOL_APP_HELPER_HELPER_H
#define IMGTOOL_APP_HELPER_HELPER_H

#include <limits.h>

#include "kernels/core/status.h"

#define HELPER_BENCH "imgtool-bench"
#define HELPER_PLOT  "imgtool-plot"

/* Sets `path` to the path of a helper program. imgtool and both helpers can call this function.
 * Fails with IMG_E_UNAVAILABLE if the program is missing; the message tells how to install it. */
ImgStatus helper_find(const char *name, char path[PATH_MAX], ImgError *err);

/* Replaces this process by the helper program, with the same arguments. argv[0] becomes the path of
 * this program, so that the helper can start it. Returns only if that fails. Call it before
 * anything is printed and before signal handlers are installed. */
ImgStatus helper_become(const char *name, char **argv, ImgError *err);

#endif
