/* The names of all tiles, and the files that tiles must not replace. */
#ifndef IMGTOOL_APP_TILES_TILE_LIST_H
#define IMGTOOL_APP_TILES_TILE_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "app/text/paths.h"
#include "app/tiles/tile_grid.h"
#include "kernels/core/status.h"

/* --- Inputs --------------------------------------------------------------------------------------
 *
 * The pictures to cut, identified as files, so that no tile replaces one of them. */

/* The input files. Initialise it with zeros, and free it with tile_inputs_free. */
typedef struct TileInputs {
    FileId *files; /* the files, sorted by device and inode; owned */
    size_t count;
} TileInputs;

/* Identifies the input files by device and inode. Leaves out files that do not exist, and "-". With
 * several inputs, fails with IMG_E_USAGE if the pattern could give tiles of two inputs the same
 * name. The pattern must be valid. Call tile_inputs_free also after a failure. */
ImgStatus tile_inputs_find(char *const *paths, size_t count, const char *pattern,
                           TileInputs *inputs, ImgError *err);
void tile_inputs_free(TileInputs *inputs);

/* Returns whether the path resolves to one of the input files. */
bool tile_inputs_have(const TileInputs *inputs, const char *path);

/* --- Names ------------------------------------------------------------------------------------ */

/* Writes the name of each tile to `names`, which has room for all. `grid` is fitted to the picture
 * (tile_grid_fit), and the pattern is valid (tile_names.h). `input` is the path of the picture.
 * With `padded`, leading zeros give all numbers the same length. After a failure, names that were
 * not made are NULL. */
ImgStatus tile_list_make(const char *pattern, const char *input, const TileGrid *grid,
                         ImgShape picture, bool padded, char **names, ImgError *err);

/* Fails with IMG_E_USAGE if two names are equal, or if a name is an input. With `no_clobber`, fails
 * with IMG_E_IO if a file of that name exists. */
ImgStatus tile_list_check(char *const *names, int64_t count, const TileInputs *inputs,
                          bool no_clobber, ImgError *err);

/* Frees the names and their array. `names` may be NULL. */
void tile_list_free(char **names, int64_t count);

#endif
