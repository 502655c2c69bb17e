/* Parses the text of steps (kernels/pipeline/pipeline.h). Messages name the position of a mistake,
 * and can show it. */
#ifndef IMGTOOL_APP_CLI_PIPELINE_H
#define IMGTOOL_APP_CLI_PIPELINE_H

#include <stdbool.h>

#include "app/text/caret.h"
#include "kernels/core/exec/exec.h"
#include "kernels/pipeline/pipeline.h"

/* Parses the text into `steps` and sets *count (0 to IMG_STEPS_MAX). An empty text has 0 steps,
 * which only convert the file. The step thumbnail becomes three steps. Fails with IMG_E_USAGE; the
 * message names the step and the column. */
ImgStatus pipeline_parse(const char *text, ImgStep steps[IMG_STEPS_MAX], size_t *count,
                         ImgError *err);

/* Parses like pipeline_parse. After a mistake, `mark` contains the line with the mistake underlined
 * (see caret_print); otherwise it is empty. For steps in a file, `lines` is the original text. It
 * has the same length as `text`, but contains the newlines, so that messages can name line and
 * column. If `lines` is NULL, the text is one line. */
ImgStatus pipeline_parse_marked(const char *text, const char *lines, ImgStep steps[IMG_STEPS_MAX],
                                size_t *count, char mark[CARET_SIZE], ImgError *err);

/* Parses the text of a single operation or measurement, such as "rotate angle=90" or "histogram
 * luma=601". */
ImgStatus pipeline_parse_single(const char *text, ImgStep *step, ImgError *err);

/* --- Steps in a file -----------------------------------------------------------------------------
 *
 * Reads steps from a file, for `run @FILE`, `batch @FILE` and --pipeline FILE. In a file each line
 * has one step, or several steps separated by '|'. A '|' may also end a line or start the next one.
 * A '#' at the start of a line or after a space or tab starts a comment. Elsewhere, and in quotes,
 * '#' is part of a value, such as a colour. */

/* Reads the operand STEPS: text such as "rotate | flip", or "@FILE" for steps in a file. Sets
 * `steps`, *count and `mark` like pipeline_parse_marked. Fails with IMG_E_USAGE if the steps are
 * wrong; the message names the step and, for a file, line and column. Fails with IMG_E_IO if the
 * file cannot be read, or if it is a pipe and `only_files` is set (io/limits.h). */
ImgStatus pipeline_read(const char *operand, bool only_files, ImgStep steps[IMG_STEPS_MAX],
                        size_t *count, char mark[CARET_SIZE], ImgError *err);

#endif
