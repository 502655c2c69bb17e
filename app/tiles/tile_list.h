/* The names of all tiles, known before the first is written. */
#ifndef IMGTOOL_APP_TILES_TILE_LIST_H
#define IMGTOOL_APP_TILES_TILE_LIST_H

#include "app/tiles/tile_grid.h"
#include "app/tiles/tile_inputs.h"

/* Puts a name for each tile of a grid that fits the picture into `names`, which has room for all.
 * `input` is the picture's path; the pattern was checked (tile_names.h). `padded`: zeros give its
 * numbers equal lengths. After a failure some names are NULL, as they were. */
ImgStatus tile_list_make(const char *pattern, const char *input, const TileGrid *grid,
                         ImgShape picture, bool padded, char **names, ImgError *err);

/* IMG_E_USAGE where two are the same, or one is a name of an input. `no_clobber`: IMG_E_IO where
 * one exists. */
ImgStatus tile_list_check(char *const *names, int64_t count, const TileInputs *inputs,
                          bool no_clobber, ImgError *err);

/* Harmless on NULL. */
void tile_list_free(char **names, int64_t count);

#endif
