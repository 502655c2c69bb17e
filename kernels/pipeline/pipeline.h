/* "rotate angle=90 | flip axis=vertical" as steps, and back. In quotes, '...' or "...", all is part
 * of a value, such as a path's spaces: file='my look.cube'. */
#ifndef IMGTOOL_KERNELS_PIPELINE_PIPELINE_H
#define IMGTOOL_KERNELS_PIPELINE_PIPELINE_H

#include "kernels/core/exec/exec.h"

/* Where in the text a mistake is, for those who want to show it. */
typedef struct ImgMistake {
    size_t step;        /* from 1 on */
    size_t start, size; /* bytes of the text; a size of 0: something is missing there */
    bool is_name;       /* it stands where the name of an operation does */
} ImgMistake;

/* Fills `steps`, and sets *count to 0..IMG_STEPS_MAX: text without a word is no step at all, which
 * only converts; thumbnail is three. IMG_E_USAGE says what is wrong, and `mistake` where; it may be
 * NULL. */
ImgStatus img_pipeline_parse(const char *text, ImgStep steps[IMG_STEPS_MAX], size_t *count,
                             ImgMistake *mistake, ImgError *err);

/* A single operation or measurement: "rotate angle=90", "histogram luma=601". */
ImgStatus img_pipeline_parse_single(const char *text, ImgStep *step, ImgMistake *mistake,
                                    ImgError *err);

/* The column at which byte `start` of a line stands, from 1 on: characters of UTF-8 count. */
size_t img_pipeline_column(const char *line, size_t start);

/* Writes a value as it stands after "name=", in quotes where it would be taken apart; as snprintf
 * does, and returns what that returns, or less where it is cut. */
size_t img_pipeline_print_value(const char *value, char *text, size_t size);

/* Writes the steps with all parameters that have a value, cut off where `size` ends; always
 * terminated. */
void img_pipeline_print(const ImgStep *steps, size_t count, char *text, size_t size);

#endif
