/* The pictures that are cut, as files: none may be replaced by a tile. */
#ifndef IMGTOOL_APP_TILES_TILE_INPUTS_H
#define IMGTOOL_APP_TILES_TILE_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "kernels/core/status.h"

typedef struct TileInput {
    dev_t device;
    ino_t inode;
} TileInput;

/* Start from zeros. */
typedef struct TileInputs {
    TileInput *files; /* owned, in order */
    size_t count;
} TileInputs;

/* Looks at the files; what is not there, and "-", is left out. For several, IMG_E_USAGE where the
 * pattern, which was checked, could give tiles of two of them one name. To be followed by
 * tile_inputs_free, on failure too. */
ImgStatus tile_inputs_find(char *const *paths, size_t count, const char *pattern,
                           TileInputs *inputs, ImgError *err);
void tile_inputs_free(TileInputs *inputs);

/* Does that path lead to one of them? */
bool tile_inputs_have(const TileInputs *inputs, const char *path);

#endif
