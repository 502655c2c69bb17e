/* Parses pipelines, texts such as "rotate angle=90 | flip axis=vertical", into steps, and prints
 * steps as text. Quotes, '...' or "...", protect special characters of a value, such as the space
 * in a path: file='my look.cube'. */
#ifndef IMGTOOL_KERNELS_PIPELINE_PIPELINE_H
#define IMGTOOL_KERNELS_PIPELINE_PIPELINE_H

#include "kernels/core/exec/exec.h"

/* Position of a mistake in the text of a pipeline. Callers show it to the user. */
typedef struct ImgMistake {
    size_t step; /* number of the step, counted from 1 */
    /* Position and length in the text, in bytes. Length 0 means that something is missing at this
     * position. */
    size_t start, size;
    bool is_name; /* true if a valid name of an operation was expected at the mistake */
} ImgMistake;

/* Parses the text of a pipeline into `steps`, and sets *count to their number, 0 to IMG_STEPS_MAX.
 * Text without a word has no steps; such a pipeline only converts the file. A thumbnail step
 * becomes three steps. On a mistake, returns IMG_E_USAGE and sets *mistake to its position;
 * `mistake` may be NULL. */
ImgStatus img_pipeline_parse(const char *text, ImgStep steps[IMG_STEPS_MAX], size_t *count,
                             ImgMistake *mistake, ImgError *err);

/* Parses a single operation or measurement, such as "rotate angle=90" or "histogram luma=601". */
ImgStatus img_pipeline_parse_single(const char *text, ImgStep *step, ImgMistake *mistake,
                                    ImgError *err);

/* Returns the column of the character at byte `start` of a line. Columns count characters of UTF-8
 * from 1. */
size_t img_pipeline_column(const char *line, size_t start);

/* Writes `value` to `text` in the form in which it can follow "name=", with quotes if necessary.
 * The text is truncated to `size` bytes, as with snprintf. Returns the length of the text; at least
 * `size` means that it was truncated. */
size_t img_pipeline_print_value(const char *value, char *text, size_t size);

/* Writes a pipeline as text: its steps with all parameters that have a value. The text is truncated
 * to `size` bytes and always terminated. */
void img_pipeline_print(const ImgStep *steps, size_t count, char *text, size_t size);

#endif
