/* Private: where an output file really is, and what it is called until it is finished. */
#ifndef IMGTOOL_IO_OUTPUT_PATH_H
#define IMGTOOL_IO_OUTPUT_PATH_H

#include "kernels/core/status.h"

/* Follows symbolic links in the last part of the path, also one that leads to nothing yet: writing
 * through it would create that file. The caller frees *target. */
ImgStatus img_output_resolve(const char *path, char **target, ImgError *err);

/* ".NAME.XXXXXX.tmp" in the folder of `target`, with new random letters at each call; NULL where
 * there is no memory. The caller frees it. */
char *img_output_temporary(const char *target);

#endif
