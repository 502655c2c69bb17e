/* Names of tiles by a pattern: 'out/{stem}-{row}-{column}.png'. */
#ifndef IMGTOOL_APP_TILES_TILE_NAMES_H
#define IMGTOOL_APP_TILES_TILE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* Values of the fields of a pattern for one tile. {x} and {y} are the position of its top left
 * pixel, {column} and {row} count from 0, and {number} counts from 1, row by row. {name} is the
 * last part of the input's path, and {stem} is {name} without its extension. */
typedef struct TileValues {
    int64_t x, y, column, row, number;
    const struct TileValues *last; /* last tile of the picture, whose numbers have the most digits:
                                      leading zeros fill others to that length; NULL: no zeros */
    const char *input;             /* its path */
} TileValues;

/* IMG_E_USAGE, with the column from 1, for an unknown field or a brace that stands alone. */
ImgStatus tile_pattern_check(const char *pattern, ImgError *err);

/* Checks whether tiles of two pictures can have the same name. IMG_E_USAGE, with a remedy, if
 * {stem} and {name} are both missing, or only digits are between one of them and a number.
 * Otherwise pictures whose first tiles have different names never clash. The pattern must be
 * checked. */
ImgStatus tile_pattern_check_many(const char *pattern, ImgError *err);

/* Returns whether a checked pattern has {stem} or {name}. */
bool tile_pattern_names_input(const char *pattern);

/* Returns whether a checked pattern has a field that differs between tiles of a picture. */
bool tile_pattern_names_tile(const char *pattern);

/* Returns the name by a checked pattern. The caller frees it; NULL: no memory. */
char *tile_name(const char *pattern, const TileValues *values);

/* Returns the pattern for `names` in a directory. The caller frees it; NULL: no memory. */
char *tile_pattern_in(const char *directory, const char *names);

#endif
