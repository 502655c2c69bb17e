/* Makes names of outputs from a pattern, as in --name '{stem}-turned.{ext}'. */
#ifndef IMGTOOL_APP_BATCH_PLAN_NAME_PATTERN_H
#define IMGTOOL_APP_BATCH_PLAN_NAME_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* The pattern that is used without --name: "{stem}.{ext}". */
extern const char name_pattern_usual[];

/* Values that replace the fields of a pattern, for one input. */
typedef struct NameValues {
    const char *name;   /* value of {name}: the last component of the input's path */
    size_t name_length; /* bytes of `name`, at least 1 */
    /* Number of bytes of the stem, which is the value of {stem} and the start of `name`. */
    size_t stem_length;
    /* Value of {ext}: the extension without its dot, extension_length bytes. */
    const char *extension;
    size_t extension_length;
    const char *directory; /* value of {dir}: directory_length bytes without a slash */
    size_t directory_length;
    size_t number; /* value of {number}: the position of the input, from 1 */
    int digits;    /* {number} is filled with leading zeros to this number of digits */
} NameValues;

/* Fails with IMG_E_USAGE if the pattern is wrong. The message names the column, counted from 1, and
 * a correct form. A pattern is wrong if it is empty, has an unknown field, an unmatched brace or a
 * '/'. It is also wrong if it has no extension, an unknown one, or one that contradicts `format`
 * (an ImgFileFormat; -1: not given). */
ImgStatus name_pattern_check(const char *pattern, int32_t format, ImgError *err);

/* Sets `name`, `stem_length` and `extension`, and no other values. The extension is the usual
 * extension of `format`. If `format` is -1, it is the extension of PNG, in the spelling of the
 * input (such as "PNG"). The pointers are valid as long as `name`. */
void name_values_set(NameValues *values, const char *name, size_t length, int32_t format);

/* Expands the pattern, which must be valid, with these values, and writes the name to `out`. Like
 * snprintf it returns the full length, and writes at most `size` bytes. Unlike snprintf it adds no
 * zero byte. */
size_t name_pattern_expand(const char *pattern, const NameValues *values, char *out, size_t size);

/* Returns the ImgFileFormat that the extension of the name stands for, or -1 if the extension is
 * unknown. */
int32_t name_format(const char *name, size_t length);

/* Returns whether the pattern contains {number}. */
bool name_pattern_counts(const char *pattern);

#endif
