/* Makes names of tiles from a pattern, such as 'out/{stem}-{row}-{column}.png'. */
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
    /* Values of the last tile of the picture, whose numbers have the most digits. Leading zeros
     * give the other numbers that length. NULL: no leading zeros. */
    const struct TileValues *last;
    const char *input; /* path of the input */
} TileValues;

/* Fails with IMG_E_USAGE if the pattern has an unknown field or an unmatched brace. The message
 * names the column, counted from 1. */
ImgStatus tile_pattern_check(const char *pattern, ImgError *err);

/* Checks that tiles of two pictures cannot have the same name. Fails with IMG_E_USAGE and a remedy
 * if the pattern has neither {stem} nor {name}. Fails also if nothing except digits is between one
 * of them and a number such as {row}: the names "a" + "11" and "a1" + "1" would be the same. After
 * success, it is enough to compare first tiles: if their names differ, all tiles of the two
 * pictures have different names. The pattern must be valid. */
ImgStatus tile_pattern_check_many(const char *pattern, ImgError *err);

/* Returns whether a valid pattern contains {stem} or {name}. */
bool tile_pattern_names_input(const char *pattern);

/* Returns whether a valid pattern contains a field whose value differs between the tiles of a
 * picture. */
bool tile_pattern_names_tile(const char *pattern);

/* Returns the name that the pattern, which must be valid, gives with these values. Returns NULL if
 * there is no memory. The caller frees it. */
char *tile_name(const char *pattern, const TileValues *values);

/* Returns a pattern for files in `directory` whose names have the pattern `names`. Returns NULL if
 * there is no memory. The caller frees it. */
char *tile_pattern_in(const char *directory, const char *names);

#endif
