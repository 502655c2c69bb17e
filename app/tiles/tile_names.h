/* What tiles are called: 'out/{row}-{column}.png'. */
#ifndef IMGTOOL_APP_TILES_TILE_NAMES_H
#define IMGTOOL_APP_TILES_TILE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* What the fields of a pattern come to for one tile: {x} and {y}, pixels of its left upper corner;
 * {column} and {row}, from 0; {number}, from 1 row by row, with zeros in front to `digits`. */
typedef struct TileValues {
    int64_t x, y, column, row, number;
    int digits;
} TileValues;

/* IMG_E_USAGE, naming the column from 1, for an unknown field or a brace that stands alone. */
ImgStatus tile_pattern_check(const char *pattern, ImgError *err);

/* The name for a pattern that was checked, to be freed; NULL: no memory. */
char *tile_name(const char *pattern, const TileValues *values);

#endif
