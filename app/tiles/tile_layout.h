/* Which tiles a picture is cut into, and what all files are called: a grid, or a pyramid of grids.
 */
#ifndef IMGTOOL_APP_TILES_TILE_LAYOUT_H
#define IMGTOOL_APP_TILES_TILE_LAYOUT_H

#include <stdbool.h>

#include "app/cli/options.h"
#include "app/tiles/pyramid.h"
#include "app/tiles/tile_grid.h"

/* The same for all pictures. Start from zeros. */
typedef struct TileLayout {
    bool is_pyramid;
    char *pattern; /* owned; of a pyramid that of pyramid_pattern */
    TileGrid grid; /* columns and rows are each level's */
    ImgStep halve; /* of a pyramid: pyramid_step */
} TileLayout;

/* By --layout, --size and --overlap. `operand`: PATTERN. IMG_E_USAGE says what would be right. To
 * be followed by tile_layout_free, on failure too. */
ImgStatus tile_layout_choose(TileLayout *layout, const char *operand, const Settings *settings,
                             ImgError *err);
void tile_layout_free(TileLayout *layout);

/* The picture, or one of the sizes at which a pyramid has it. */
typedef struct TileLevel {
    ImgShape shape;
    TileGrid grid;
    int64_t first, count; /* of its tiles among all */
} TileLevel;

/* One picture. Start from zeros. */
typedef struct TileCut {
    TileLevel levels[PYRAMID_LEVELS_MAX]; /* the largest first */
    int level_count;
    int64_t count; /* of tiles */
    char **names;  /* owned; of all tiles, and last of a pyramid's descriptor */
    bool *made;    /* owned; as TileFiles.made */
    int64_t files; /* of names */
} TileCut;

/* Finds the levels, and names no file yet. */
ImgStatus tile_cut_levels(const TileLayout *layout, ImgShape picture, TileCut *cut, ImgError *err);

/* Then the names, for an input of that path. To be followed by tile_cut_free, on failure too. */
ImgStatus tile_cut_names(const TileLayout *layout, const char *path, TileCut *cut, ImgError *err);
void tile_cut_free(TileCut *cut);

#endif
