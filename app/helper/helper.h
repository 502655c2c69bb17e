/* The other programs, which have what turning a picture does not need: imgtool-bench measures,
 * imgtool-plot draws. They are two because a library for drawing ends a process without memory
 * before its main function. Each is in a Debian package of its own name, so it may be missing.
 * Their directory is libexec/imgtool of the installation or, in a build, that of imgtool. */
#ifndef IMGTOOL_APP_HELPER_HELPER_H
#define IMGTOOL_APP_HELPER_HELPER_H

#include <limits.h>

#include "kernels/core/status.h"

#define HELPER_BENCH "imgtool-bench"
#define HELPER_PLOT  "imgtool-plot"

/* The path of one of them, from any of the programs; IMG_E_UNAVAILABLE, with what to do, where it
 * is missing. */
ImgStatus helper_find(const char *name, char path[PATH_MAX], ImgError *err);

/* Goes on as that program, with the arguments of this one; argv[0] becomes the path of this
 * one, by which the other can start it. Returns only on failure. Before anything is printed and
 * before signals are handled. */
ImgStatus helper_become(const char *name, char **argv, ImgError *err);

#endif
