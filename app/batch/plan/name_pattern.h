/* Names of outputs by a pattern, as in --name '{stem}-turned.{ext}'. */
#ifndef IMGTOOL_APP_BATCH_PLAN_NAME_PATTERN_H
#define IMGTOOL_APP_BATCH_PLAN_NAME_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* Pattern without --name. */
extern const char name_pattern_usual[];

/* Values of the fields of a pattern for one input. */
typedef struct NameValues {
    const char *name;      /* {name}: last part of the input's path, of name_length bytes */
    size_t name_length;    /* at least 1 */
    size_t stem_length;    /* {stem}: the first stem_length bytes of `name` */
    const char *extension; /* {ext}: without the dot */
    size_t extension_length;
    const char *directory; /* {dir}: directory_length bytes without slashes */
    size_t directory_length;
    size_t number; /* {number} */
    int digits;    /* least number of digits, filled with leading zeros */
} NameValues;

/* IMG_E_USAGE if the pattern is wrong; the message names the column, from 1, and the correct form.
 * Wrong are: an unknown field, a brace that stands alone, an empty pattern, a '/', and no
 * extension, an unknown one, or one that contradicts `format` (an ImgFileFormat; -1: not given). */
ImgStatus name_pattern_check(const char *pattern, int32_t format, ImgError *err);

/* Sets name, stem and extension, and no other field. {ext} is that of `format`. With -1 it is that
 * of PNG, in the spelling of the input. The pointers point into `name` or to constants. */
void name_values_set(NameValues *values, const char *name, size_t length, int32_t format);

/* Writes the name for a checked pattern. Like snprintf it returns the full length and omits what
 * does not fit into `size` bytes, but it adds no zero byte. */
size_t name_pattern_expand(const char *pattern, const NameValues *values, char *out, size_t size);

/* Returns the ImgFileFormat of the name's extension; -1 if it is unknown. */
int32_t name_format(const char *name, size_t length);

/* Returns whether the pattern has {number}. */
bool name_pattern_counts(const char *pattern);

#endif
