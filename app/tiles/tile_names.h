/* What tiles are called: 'out/{stem}-{row}-{column}.png'. */
#ifndef IMGTOOL_APP_TILES_TILE_NAMES_H
#define IMGTOOL_APP_TILES_TILE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* What the fields of a pattern come to for one tile: {x} and {y}, pixels of its left upper corner;
 * {column} and {row}, from 0; {number}, from 1 row by row; {name}, the last part of the input's
 * path, and {stem}, that without its extension. */
typedef struct TileValues {
    int64_t x, y, column, row, number;
    const struct TileValues *last; /* tile of the picture: numbers get zeros in front until they
                                    * have as many digits as its own; NULL: none */
    const char *input;             /* path */
} TileValues;

/* IMG_E_USAGE, naming the column from 1, for an unknown field or a brace that stands alone. */
ImgStatus tile_pattern_check(const char *pattern, ImgError *err);

/* Of a pattern that was checked: can what it calls a tile of one picture be a tile of another of
 * the same pattern? IMG_E_USAGE, and what helps, where {stem} and {name} are both missing, or only
 * digits stand between one of them and a number. Else names of pictures whose first tiles are
 * called differently never meet. */
ImgStatus tile_pattern_check_many(const char *pattern, ImgError *err);

/* Of a pattern that was checked: has it {stem} or {name}? */
bool tile_pattern_names_input(const char *pattern);

/* Has this pattern, which was checked, a field that differs between tiles of a picture? */
bool tile_pattern_names_tile(const char *pattern);

/* The name for a pattern that was checked, to be freed; NULL: no memory. */
char *tile_name(const char *pattern, const TileValues *values);

/* The pattern `names` within a directory, to be freed; NULL: no memory. */
char *tile_pattern_in(const char *directory, const char *names);

#endif
