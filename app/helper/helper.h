/* Finds and starts the other two programs: imgtool-bench, which measures, and imgtool-plot, which
 * draws. So imgtool itself needs no libraries for them. They are separate programs because the
 * drawing library ends a process that lacks memory even before main starts. Each has a Debian
 * package of its own, so it can be missing. They are in libexec/imgtool of the installation or, in
 * a build, in the directory of imgtool. */
#ifndef IMGTOOL_APP_HELPER_HELPER_H
#define IMGTOOL_APP_HELPER_HELPER_H

#include <limits.h>

#include "kernels/core/status.h"

#define HELPER_BENCH "imgtool-bench"
#define HELPER_PLOT  "imgtool-plot"

/* Finds the path of a program. All three programs can call this. Fails with IMG_E_UNAVAILABLE and a
 * remedy if the program is missing. */
ImgStatus helper_find(const char *name, char path[PATH_MAX], ImgError *err);

/* Replaces this process by the program, with the same arguments. argv[0] becomes the path of the
 * present program, so that the new one can start it. Returns only if that fails. Call it before
 * anything is printed and before signal handlers are installed. */
ImgStatus helper_become(const char *name, char **argv, ImgError *err);

#endif
