/* Finds and starts the other programs: imgtool-bench measures, imgtool-plot draws. imgtool itself
 * does not need their libraries. They are two programs because the drawing library ends a process
 * that lacks memory before main. Each is in a Debian package of its own, so it may be missing. They
 * are in libexec/imgtool of the installation or, in a build, beside imgtool. */
#ifndef IMGTOOL_APP_HELPER_HELPER_H
#define IMGTOOL_APP_HELPER_HELPER_H

#include <limits.h>

#include "kernels/core/status.h"

#define HELPER_BENCH "imgtool-bench"
#define HELPER_PLOT  "imgtool-plot"

/* Finds the path of a program, from any of the programs. IMG_E_UNAVAILABLE, with what to do, if it
 * is missing. */
ImgStatus helper_find(const char *name, char path[PATH_MAX], ImgError *err);

/* Replaces this process by that program, with the same arguments. argv[0] becomes the path of this
 * program, so that the other one can start it. Returns only on failure. Call it before anything is
 * printed and before signal handlers are installed. */
ImgStatus helper_become(const char *name, char **argv, ImgError *err);

#endif
