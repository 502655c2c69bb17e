/* Private: the path of an output file after following links, and the name of its temporary file. */
#ifndef IMGTOOL_IO_OUTPUT_PATH_H
#define IMGTOOL_IO_OUTPUT_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/core/status.h"

/* Returns true for a path that denotes an open descriptor of this process: /dev/stdout, /dev/fd/1,
 * /proc/self/fd/1. */
bool img_output_is_descriptor(const char *path, int *fd);

/* Follows symbolic links in the last component of the path, even to a file that does not exist:
 * writing through the link would create it. The caller frees *target. *may_lack_name becomes true
 * if a procfs link (/proc/PID/fd/N) was followed. Such a link leads to an open file that may have
 * been removed or replaced, so *target may not be its name. `may_lack_name` may be NULL. */
ImgStatus img_output_resolve(const char *path, char **target, bool *may_lack_name, ImgError *err);

/* Returns ".NAME.XXXXXX.tmp" in the directory of `target`, with new random letters in each call;
 * NULL if memory is short. The caller frees it. */
char *img_output_temporary(const char *target);

/* Returns the number of bytes of a file name (without directory) that its temporary name keeps as
 * NAME; long names are truncated. */
size_t img_output_stem(const char *name);

/* Returns true if `name` (without directory) has the form of a temporary name. Sets `*stem` and
 * `*stem_size` to its part NAME. */
bool img_output_is_temporary(const char *name, const char **stem, size_t *stem_size);

/* Locks the open temporary file `fd` (flock). The writer of a file holds its lock; the system
 * releases it when the process ends. Returns false if another process holds the lock, or if the
 * file was removed meanwhile. Returns true if the file system has no locks. */
bool img_output_lock(int fd);

#endif
