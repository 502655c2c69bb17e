/* Reads steps from a file, for `run @FILE`, `batch @FILE` and --pipeline FILE.
 * \n In a file each line has one step, or several steps separated by '|'. A '|' may also end a line
 * or start the next one. A '#' at the start of a line or after a space or tab starts a comment.
 * Elsewhere, and in quotes, '#' is part of a value, such as a colour. */
#ifndef IMGTOOL_APP_CLI_PIPELINE_FILE_H
#define IMGTOOL_APP_CLI_PIPELINE_FILE_H

#include <stdbool.h>

#include "app/text/caret.h"
#include "kernels/core/exec/exec.h"

/* Reads the operand STEPS: text such as "rotate | flip", or "@FILE" for steps in a file. Sets
 * `steps`, *count and `mark` like pipeline_parse_marked. Fails with IMG_E_USAGE if the steps are
 * wrong; the message names the step and, for a file, line and column. Fails with IMG_E_IO if the
 * file cannot be read, or if it is a pipe and `only_files` is set (io/limits.h). */
ImgStatus pipeline_read(const char *operand, bool only_files, ImgStep steps[IMG_STEPS_MAX],
                        size_t *count, char mark[CARET_SIZE], ImgError *err);

#endif
