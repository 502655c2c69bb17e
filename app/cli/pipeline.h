/* Parses the text of steps (kernels/pipeline/pipeline.h). Messages name the position of a mistake,
 * and can show it. */
#ifndef IMGTOOL_APP_CLI_PIPELINE_H
#define IMGTOOL_APP_CLI_PIPELINE_H

#include "app/text/caret.h"
#include "kernels/pipeline/pipeline.h"

/* Parses the text into `steps` and sets *count (0 to IMG_STEPS_MAX). An empty text has 0 steps,
 * which only convert the file. The step thumbnail becomes three steps. Fails with IMG_E_USAGE; the
 * message names the step and the column. */
ImgStatus pipeline_parse(const char *text, ImgStep steps[IMG_STEPS_MAX], size_t *count,
                         ImgError *err);

/* Parses like pipeline_parse. After a mistake, `mark` contains the line with the mistake underlined
 * (see caret_print); otherwise it is empty. For steps in a file, `lines` is the original text; it
 * has the same length as `text`, but contains the newlines, so that messages can name line and
 * column. If `lines` is NULL, the text is one line. */
ImgStatus pipeline_parse_marked(const char *text, const char *lines, ImgStep steps[IMG_STEPS_MAX],
                                size_t *count, char mark[CARET_SIZE], ImgError *err);

/* Parses the text of a single operation or measurement, such as "rotate angle=90" or "histogram
 * luma=601". */
ImgStatus pipeline_parse_single(const char *text, ImgStep *step, ImgError *err);

#endif
