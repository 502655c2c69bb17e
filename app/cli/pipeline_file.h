/* Steps read from a file: `run @FILE`, `batch @FILE`, and --pipeline FILE, which is the same. */
#ifndef IMGTOOL_APP_CLI_PIPELINE_FILE_H
#define IMGTOOL_APP_CLI_PIPELINE_FILE_H

#include <stdbool.h>

#include "app/text/caret.h"
#include "kernels/core/exec/exec.h"

/* Reads steps as a user gives them: "rotate | flip", or "@FILE" for steps in a file. In a file each
 * line is one step, or several separated by '|'. A '|' may also end a line or begin the next one.
 * '#' at the start of a line or after a space or tab starts a comment. Elsewhere, and in quotes, it
 * is part of a value, such as a colour. Fills `steps` and `mark` as pipeline_parse_marked does.
 * IMG_E_USAGE names the step, and in a file its line and column. IMG_E_IO if the file cannot be
 * read, or is a pipe and `only_files` is set (io/limits.h). */
ImgStatus pipeline_read(const char *operand, bool only_files, ImgStep steps[IMG_STEPS_MAX],
                        size_t *count, char mark[CARET_SIZE], ImgError *err);

#endif
