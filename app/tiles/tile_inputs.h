/* The pictures to cut, identified as files, so that no tile replaces one of them. */
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

#endif
