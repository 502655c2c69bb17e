/* Private: where an output file really is, and what it is called until it is finished. */
#ifndef IMGTOOL_IO_OUTPUT_PATH_H
#define IMGTOOL_IO_OUTPUT_PATH_H

#include <stdbool.h>

#include "kernels/core/status.h"

/* True for a path that means an open descriptor of this process, whatever that leads to:
 * /dev/stdout, /dev/fd/1, /proc/self/fd/1. */
bool img_output_is_descriptor(const char *path, int *fd);

/* Follows symbolic links in the last part of the path, also one that leads to nothing yet: writing
 * through it would create that file. The caller frees *target. */
ImgStatus img_output_resolve(const char *path, char **target, ImgError *err);

/* ".NAME.XXXXXX.tmp" in the folder of `target`, with new random letters at each call; NULL where
 * there is no memory. The caller frees it. */
char *img_output_temporary(const char *target);

#endif
