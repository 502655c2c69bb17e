/* The names of all tiles, which are known before the first is written. */
#ifndef IMGTOOL_APP_TILES_TILE_LIST_H
#define IMGTOOL_APP_TILES_TILE_LIST_H

#include "app/tiles/tile_grid.h"
#include "app/tiles/tile_inputs.h"

/* Writes a name for each tile of a fitted grid to `names`, which has room for all. `input` is the
 * picture's path, and the pattern is checked (tile_names.h). With `padded`, leading zeros give all
 * numbers the same length. After a failure the names that were not made are NULL. */
ImgStatus tile_list_make(const char *pattern, const char *input, const TileGrid *grid,
                         ImgShape picture, bool padded, char **names, ImgError *err);

/* IMG_E_USAGE if two names are equal, or one is an input. With `no_clobber` IMG_E_IO if one exists.
 */
ImgStatus tile_list_check(char *const *names, int64_t count, const TileInputs *inputs,
                          bool no_clobber, ImgError *err);

/* NULL is allowed. */
void tile_list_free(char **names, int64_t count);

#endif
