/* The standard streams: that they exist, that what was written to stdout has arrived, and what
 * messages call them. */
#ifndef IMGTOOL_APP_TEXT_STREAMS_H
#define IMGTOOL_APP_TEXT_STREAMS_H

#include <stdbool.h>
#include <sys/stat.h>

#include "kernels/core/status.h"

/* Gives the descriptors 0 to 2 something to stand for where the caller closed them, so that no
 * picture is ever opened as one of them and mixed with messages. Call first. */
void streams_guard(void);

/* Call after printing much at once: stdio may drop it on failure, and forgets the reason. */
void streams_flush_stdout(void);

/* Everything written to stdout has arrived. IMG_E_IO otherwise: a full disk, a closed pipe. */
ImgStatus streams_finish_stdout(ImgError *err);

/* What is read for that path, where it is a regular file: of "-" what standard input was opened
 * from. False where it is none, or not there. */
bool streams_input_file(const char *path, struct stat *info);

/* "standard input" for "-" */
const char *streams_input_name(const char *path);
const char *streams_output_name(const char *path);

#endif
