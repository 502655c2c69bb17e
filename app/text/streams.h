/* The standard streams: ensures that they exist and that output to stdout was written, and names
 * them in messages. */
#ifndef IMGTOOL_APP_TEXT_STREAMS_H
#define IMGTOOL_APP_TEXT_STREAMS_H

#include <stdbool.h>
#include <sys/stat.h>

#include "kernels/core/status.h"

/* Opens /dev/null for each of the descriptors 0 to 2 that the caller closed. Otherwise a picture
 * could be opened as one of them and mixed with messages. Call it first. */
void streams_guard(void);

/* Call it after printing a large block: stdio may drop output on failure and forgets the reason. */
void streams_flush_stdout(void);

/* Checks that everything written to stdout arrived. IMG_E_IO otherwise: a full disk, a closed
 * pipe. */
ImgStatus streams_finish_stdout(ImgError *err);

/* Returns information about an input if it is a regular file; "-" is standard input. False if it is
 * not a regular file or does not exist. */
bool streams_input_file(const char *path, struct stat *info);

/* Return "standard input" or "standard output" for "-", otherwise the path. */
const char *streams_input_name(const char *path);
const char *streams_output_name(const char *path);

#endif
