/* Converts text such as "rotate angle=90 | flip axis=vertical" to steps, and back. Quotes, '...' or
 * "...", protect special characters of a value, such as spaces in a path: file='my look.cube'. */
#ifndef IMGTOOL_KERNELS_PIPELINE_PIPELINE_H
#define IMGTOOL_KERNELS_PIPELINE_PIPELINE_H

#include "kernels/core/exec/exec.h"

/* Position of a mistake in the text, for callers that display it. */
typedef struct ImgMistake {
    size_t step; /* number of the step, counted from 1 */
    /* position in the text, in bytes; size 0 means that something is missing there */
    size_t start, size;
    bool is_name; /* the mistake is where the name of an operation is expected */
} ImgMistake;

/* Fills `steps` and sets *count to 0..IMG_STEPS_MAX. Text without a word gives no steps; such a
 * pipeline only converts the file. thumbnail gives three steps. On a mistake, returns IMG_E_USAGE
 * and sets *mistake to its position; `mistake` may be NULL. */
ImgStatus img_pipeline_parse(const char *text, ImgStep steps[IMG_STEPS_MAX], size_t *count,
                             ImgMistake *mistake, ImgError *err);

/* Parses a single operation or measurement: "rotate angle=90", "histogram luma=601". */
ImgStatus img_pipeline_parse_single(const char *text, ImgStep *step, ImgMistake *mistake,
                                    ImgError *err);

/* Returns the column of byte `start` of a line, counted from 1 in characters of UTF-8. */
size_t img_pipeline_column(const char *line, size_t start);

/* Writes a value as it appears after "name=", quoted if necessary. Like snprintf, it truncates to
 * `size` and returns the full length, or less if it truncated. */
size_t img_pipeline_print_value(const char *value, char *text, size_t size);

/* Writes the steps with all parameters that have a value. The text is truncated to `size` bytes and
 * always terminated. */
void img_pipeline_print(const ImgStep *steps, size_t count, char *text, size_t size);

#endif
