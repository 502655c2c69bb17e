/* Steps from a file: `run @FILE`, `batch @FILE`, which --pipeline FILE stands for. */
#ifndef IMGTOOL_APP_CLI_PIPELINE_FILE_H
#define IMGTOOL_APP_CLI_PIPELINE_FILE_H

#include <stdbool.h>

#include "app/text/caret.h"
#include "kernels/core/exec/exec.h"

/* Steps as a user names them: "rotate | flip", or "@FILE" for those in a file. There each line is a
 * step, or several with '|' between; a '|' may also stand at the end of a line or at the start of
 * the next. '#' at the start of a line or after a space or tab starts a comment; elsewhere it is
 * part of a value, such as a colour's, and so it is in quotes. Fills `steps` and `mark` as
 * pipeline_parse_marked does. IMG_E_USAGE names the step, and in a file its line and column;
 * IMG_E_IO where the file cannot be read, or is a pipe although `only_files` is set (io/limits.h).
 */
ImgStatus pipeline_read(const char *operand, bool only_files, ImgStep steps[IMG_STEPS_MAX],
                        size_t *count, char mark[CARET_SIZE], ImgError *err);

#endif
