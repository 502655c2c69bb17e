/* What outputs are called: --name '{stem}-turned.{ext}'. */
#ifndef IMGTOOL_APP_BATCH_PLAN_NAME_PATTERN_H
#define IMGTOOL_APP_BATCH_PLAN_NAME_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* The pattern without --name. */
extern const char name_pattern_usual[];

/* What the fields of a pattern come to for one input. */
typedef struct NameValues {
    const char *name;      /* {name}: the last part of the input's path, name_length bytes */
    size_t name_length;    /* at least 1 */
    size_t stem_length;    /* {stem}: so many of them */
    const char *extension; /* {ext}: without the dot */
    size_t extension_length;
    const char *directory; /* {dir}: directory_length bytes, without slashes */
    size_t directory_length;
    size_t number; /* {number} */
    int digits;    /* at least; zeros in front */
} NameValues;

/* IMG_E_USAGE names the column, from 1, and what would be right: an unknown field, a brace that
 * stands alone, nothing at all, a '/', no extension, one that is unknown or is not that of
 * `format` (an ImgFileFormat, or -1: none was asked for). */
ImgStatus name_pattern_check(const char *pattern, int32_t format, ImgError *err);

/* Sets name, stem and extension, and leaves the others. {ext} is that of `format`; with -1 that of
 * PNG, which every input is, in the input's spelling. Both point into `name` or to constants. */
void name_values_set(NameValues *values, const char *name, size_t length, int32_t format);

/* Writes the name for a pattern that was checked, like snprintf: the length is returned, and what
 * does not fit into `size` bytes is left out; no zero byte is added. */
size_t name_pattern_expand(const char *pattern, const NameValues *values, char *out, size_t size);

/* The ImgFileFormat that a name asks for; -1 where its extension names none. */
int32_t name_format(const char *name, size_t length);

/* Is there a {number}? */
bool name_pattern_counts(const char *pattern);

#endif
