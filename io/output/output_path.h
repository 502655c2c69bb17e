/* Private: the path of an output file after following links, and the name of its temporary file. */
#ifndef IMGTOOL_IO_OUTPUT_OUTPUT_PATH_H
#define IMGTOOL_IO_OUTPUT_OUTPUT_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/core/status.h"

/* Returns true if `path` denotes an open descriptor of this process, such as /dev/stdout, /dev/fd/1
 * or /proc/self/fd/1. `*fd` receives the number of the descriptor. */
bool img_output_is_descriptor(const char *path, int *fd);

/* Sets `*target` to the path after following symbolic links in its last component. The target need
 * not exist, because writing through the link would create it. The caller frees `*target`.
 *
 * Sets `*may_lack_name` to true if one of the links is a procfs link (/proc/PID/fd/N). Such a link
 * leads to an open file that may have been removed or replaced, so `*target` may not be its name.
 * `may_lack_name` may be NULL. */
ImgStatus img_output_resolve(const char *path, char **target, bool *may_lack_name, ImgError *err);

/* Returns ".NAME.XXXXXX.tmp" in the directory of `target`, with new random letters in each call.
 * Returns NULL if memory is short. The caller frees the string. */
char *img_output_temporary(const char *target);

/* Returns the number of bytes of `name` (a file name without directory) that its temporary name
 * keeps as NAME. Long names are truncated. */
size_t img_output_stem(const char *name);

/* Returns true if `name` (without directory) has the form of a temporary name, ".NAME.XXXXXX.tmp".
 * Sets `*stem` to the address of NAME and `*stem_size` to the size of NAME in bytes. */
bool img_output_is_temporary(const char *name, const char **stem, size_t *stem_size);

/* Locks the open temporary file `fd` with flock. The writer of a temporary file holds the lock
 * until the file is renamed or removed, or the writer exits. Returns false if another process holds
 * the lock, or if the file was removed meanwhile. Returns true if the file system has no locks. */
bool img_output_lock(int fd);

#endif
