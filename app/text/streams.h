/* The standard streams: ensures that they exist, checks that output to stdout was written, and
 * names them in messages. */
#ifndef IMGTOOL_APP_TEXT_STREAMS_H
#define IMGTOOL_APP_TEXT_STREAMS_H

#include <stdbool.h>
#include <sys/stat.h>

#include "kernels/core/status.h"

/* Opens /dev/null for each of the descriptors 0 to 2 that the calling process closed. Otherwise a
 * picture could be opened as one of them, and messages would be written into it. Call it first in
 * main. */
void streams_guard(void);

/* Flushes stdout and notes a failure. Call it after printing a large block: stdio may drop output
 * on failure, and does not keep the reason. */
void streams_flush_stdout(void);

/* Checks that everything printed to stdout was written. IMG_E_IO otherwise, for example for a full
 * disk or a closed pipe. */
ImgStatus streams_finish_stdout(ImgError *err);

/* Sets *info if the input is a regular file; "-" is standard input. Returns false if it does not
 * exist or is not a regular file. */
bool streams_input_file(const char *path, struct stat *info);

/* Return the name of an input or output for messages: "standard input" or "standard output" for
 * "-", otherwise the path. */
const char *streams_input_name(const char *path);
const char *streams_output_name(const char *path);

#endif
