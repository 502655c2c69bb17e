/* The file of a record: opens, locks, reads and replaces it. The first line identifies the format.
 */
#ifndef IMGTOOL_APP_BATCH_RECORD_RECORD_FILE_H
#define IMGTOOL_APP_BATCH_RECORD_RECORD_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/core/status.h"

/* The first line, including its newline. */
extern const char record_head[];

/* Opens or creates the file at `path` for reading and appending, and locks it. Messages name the
 * path, or `directory` if another batch holds the lock. For a part of a batch the caller passes
 * `path` itself as `directory`. */
ImgStatus record_file_open(const char *directory, const char *path, int *fd, ImgError *err);

/* Returns whether another process holds the lock of the record at `path`; false if that cannot be
 * determined. */
bool record_file_is_held(const char *path);

/* Reads the whole file and appends a zero byte. The caller frees *text. */
ImgStatus record_file_read(int fd, const char *path, char **text, size_t *size, ImgError *err);

/* Replaces the file at `path` by one with this content. *fd then refers to the new file, which was
 * locked before it got its name, and the old one is closed. On failure it returns false, sets
 * errno, and changes nothing. */
bool record_file_replace(const char *path, const char *text, size_t size, int *fd);

#endif
