/* The names of all tiles, and the files that tiles must not replace. */
#ifndef IMGTOOL_APP_TILES_TILE_LIST_H
#define IMGTOOL_APP_TILES_TILE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "app/tiles/tile_grid.h"
#include "kernels/core/status.h"

/* --- Inputs --------------------------------------------------------------------------------------
 *
 * The pictures to cut, identified as files, so that no tile replaces one of them. */

typedef struct TileInput {
    dev_t device;
    ino_t inode;
} TileInput;

/* Initialise to zeros. */
typedef struct TileInputs {
    TileInput *files; /* owned, sorted */
    size_t count;
} TileInputs;

/* Finds the files; missing ones and "-" are left out. With several inputs, IMG_E_USAGE if the
 * checked pattern could give tiles of two of them the same name. Call tile_inputs_free also after a
 * failure. */
ImgStatus tile_inputs_find(char *const *paths, size_t count, const char *pattern,
                           TileInputs *inputs, ImgError *err);
void tile_inputs_free(TileInputs *inputs);

/* Returns whether the path resolves to one of them. */
bool tile_inputs_have(const TileInputs *inputs, const char *path);

/* --- Names ------------------------------------------------------------------------------------ */

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
