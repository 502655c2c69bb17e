/* "rotate angle=90 | flip axis=vertical" as steps, and back. In quotes, '...' or "...", all is part
 * of a value, such as a path's spaces: file='my look.cube'. */
#ifndef IMGTOOL_APP_CLI_PIPELINE_H
#define IMGTOOL_APP_CLI_PIPELINE_H

#include "app/text/caret.h"
#include "kernels/core/exec/exec.h"

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

/* Writes a value as it stands after "name=", in quotes where it would be taken apart; as snprintf
 * does, and returns what that returns, or less where it is cut. */
size_t pipeline_print_value(const char *value, char *text, size_t size);

/* Writes the steps with all parameters that have a value, cut off where `size` ends; always
 * terminated. */
void pipeline_print(const ImgStep *steps, size_t count, char *text, size_t size);

#endif
