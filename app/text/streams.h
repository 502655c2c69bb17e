/* The standard streams: ensures that they are open, checks that all output to stdout was written,
 * and names the streams in messages. */
#ifndef IMGTOOL_APP_TEXT_STREAMS_H
#define IMGTOOL_APP_TEXT_STREAMS_H

#include <stdbool.h>
#include <sys/stat.h>

#include "kernels/core/status.h"

/* Opens /dev/null for each of the descriptors 0 to 2 that is closed. A picture could otherwise get
 * descriptor 2, for example, and messages would be written into it. Call it first in main. */
void img_streams_guard(void);

/* Flushes stdout, and records a failure for img_streams_finish_stdout. Call it after printing a
 * large block, because stdio may drop the output and does not keep the reason. */
void img_streams_flush_stdout(void);

/* Flushes stdout, and checks that all output to stdout was written. Otherwise fails with IMG_E_IO,
 * for example if the disk is full or the pipe is closed. */
ImgStatus img_streams_finish_stdout(ImgError *err);

/* Returns true if `path` is a regular file, and sets *info to its properties. The path "-" is
 * standard input. Returns false if the file does not exist or is of another kind. */
bool img_streams_input_file(const char *path, struct stat *info);

/* Return the name of an input or output for messages. For "-" it is "standard input" or "standard
 * output", otherwise it is the path. */
const char *img_streams_input_name(const char *path);
const char *img_streams_output_name(const char *path);

#endif
