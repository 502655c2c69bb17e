/* The file of a record: opened, locked, read, replaced. Its first line says what it is. */
#ifndef IMGTOOL_APP_BATCH_RECORD_RECORD_FILE_H
#define IMGTOOL_APP_BATCH_RECORD_RECORD_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/core/status.h"

/* The first line, with its newline. */
extern const char record_head[];

/* Opens or creates the file at `path`, to read it and to append to it, and locks it. Messages name
 * the path, or the directory if another batch is at work there; `directory` is `path` itself where
 * only a part of a batch is kept by one process. */
ImgStatus record_file_open(const char *directory, const char *path, int *fd, ImgError *err);

/* Is the record at `path` locked, which is that of others? What cannot be told is not. */
bool record_file_is_held(const char *path);

/* The whole file, and a zero after it. The caller frees *text. */
ImgStatus record_file_read(int fd, const char *path, char **text, size_t *size, ImgError *err);

/* Puts a file with this content in the place of the one at `path`. *fd is then that of the new one,
 * locked from its first moment, and the old one is closed. False: all is as it was, and errno says
 * why. */
bool record_file_replace(const char *path, const char *text, size_t size, int *fd);

#endif
