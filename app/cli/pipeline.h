/* Steps as text (kernels/pipeline/pipeline.h), with messages that say, and show, where a mistake
 * is. */
#ifndef IMGTOOL_APP_CLI_PIPELINE_H
#define IMGTOOL_APP_CLI_PIPELINE_H

#include "app/text/caret.h"
#include "kernels/pipeline/pipeline.h"

/* Fills `steps`, and sets *count to 0..IMG_STEPS_MAX: text without a word is no step at all, which
 * only converts; thumbnail is three. IMG_E_USAGE names the step and the column. */
ImgStatus pipeline_parse(const char *text, ImgStep steps[IMG_STEPS_MAX], size_t *count,
                         ImgError *err);

/* The same with the mistake shown in its line: `mark` gets what caret_print writes, or is empty.
 * `lines`: the text as it stands in a file, which has as many bytes, and newlines, so that messages
 * can name line and column; NULL: the text is one line. */
ImgStatus pipeline_parse_marked(const char *text, const char *lines, ImgStep steps[IMG_STEPS_MAX],
                                size_t *count, char mark[CARET_SIZE], ImgError *err);

/* A single operation or measurement: "rotate angle=90", "histogram luma=601". */
ImgStatus pipeline_parse_single(const char *text, ImgStep *step, ImgError *err);

#endif
