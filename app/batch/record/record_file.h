/* The file of a record: opens, locks, reads and replaces it. The first line identifies the format.
 */
#ifndef IMGTOOL_APP_BATCH_RECORD_RECORD_FILE_H
#define IMGTOOL_APP_BATCH_RECORD_RECORD_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/core/status.h"

/* The first line of each record, including its newline. */
extern const char record_head[];

/* Opens or creates the file at `path` for reading and appending, and locks it. Messages name
 * `path`, or `directory` if another batch holds the lock. For a part of a batch the caller passes
 * `path` as `directory`, too. */
ImgStatus record_file_open(const char *directory, const char *path, int *fd, ImgError *err);

/* Returns whether another process holds the lock of the record at `path`. Returns false if that
 * cannot be determined. */
bool record_file_is_held(const char *path);

/* Reads the whole file and appends a zero byte. The caller frees *text. */
ImgStatus record_file_read(int fd, const char *path, char **text, size_t *size, ImgError *err);

/* Replaces the file at `path` by a new file with this content. The new file is locked before it
 * gets the name. *fd then is the descriptor of the new file, and the old one is closed. On failure
 * returns false, sets errno, and changes nothing. */
bool record_file_replace(const char *path, const char *text, size_t size, int *fd);

#endif
