/* Private: where an output file really is, and what it is called until it is finished. */
#ifndef IMGTOOL_IO_OUTPUT_PATH_H
#define IMGTOOL_IO_OUTPUT_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/core/status.h"

/* True for a path that means an open descriptor of this process, whatever that leads to:
 * /dev/stdout, /dev/fd/1, /proc/self/fd/1. */
bool img_output_is_descriptor(const char *path, int *fd);

/* Follows symbolic links in the last part of the path, also one that leads to nothing yet: writing
 * through it would create that file. The caller frees *target. *may_lack_name, unless that is NULL:
 * a link of procfs (/proc/PID/fd/N) was followed, which leads to an open file whatever its text
 * says, also to one that was removed or replaced; only then may *target not be its name. */
ImgStatus img_output_resolve(const char *path, char **target, bool *may_lack_name, ImgError *err);

/* ".NAME.XXXXXX.tmp" in the directory of `target`, with new random letters at each call; NULL where
 * there is no memory. The caller frees it. */
char *img_output_temporary(const char *target);

/* How many bytes of a file's name, without its directory, are NAME above: long names are cut. */
size_t img_output_stem(const char *name);

/* Could `name`, without its directory, be such a temporary name? NAME is then the *stem_size bytes
 * from *stem on, within `name`. */
bool img_output_is_temporary(const char *name, const char **stem, size_t *stem_size);

/* A temporary file is locked (flock) as long as somebody writes it, and the system undoes that when
 * he is killed. Locks `fd`; false where somebody else has done so, or where the file has lost its
 * name in between. True where the file system knows no locks. */
bool img_output_claim(int fd);

#endif
