/* Parses steps as text (kernels/pipeline/pipeline.h). Messages name the position of a mistake and
 * show it. */
#ifndef IMGTOOL_APP_CLI_PIPELINE_H
#define IMGTOOL_APP_CLI_PIPELINE_H

#include "app/text/caret.h"
#include "kernels/pipeline/pipeline.h"

/* Fills `steps` and sets *count to 0..IMG_STEPS_MAX. Empty text gives 0 steps, which only convert;
 * thumbnail gives three. IMG_E_USAGE names the step and the column. */
ImgStatus pipeline_parse(const char *text, ImgStep steps[IMG_STEPS_MAX], size_t *count,
                         ImgError *err);

/* Like pipeline_parse, and writes the line with the mistake underlined to `mark` (caret_print), or
 * an empty string. `lines` is the original text of a file. It has the same length as `text`, and
 * newlines, so that messages name line and column. NULL: the text is one line. */
ImgStatus pipeline_parse_marked(const char *text, const char *lines, ImgStep steps[IMG_STEPS_MAX],
                                size_t *count, char mark[CARET_SIZE], ImgError *err);

/* Parses a single operation or measurement: "rotate angle=90", "histogram luma=601". */
ImgStatus pipeline_parse_single(const char *text, ImgStep *step, ImgError *err);

#endif
