/* The tiles of a picture and the names of all files: a grid, or a pyramid of grids. */
#ifndef IMGTOOL_APP_TILES_TILE_LAYOUT_H
#define IMGTOOL_APP_TILES_TILE_LAYOUT_H

#include <stdbool.h>

#include "app/cli/options.h"
#include "app/tiles/tile_grid.h"

/* Layout of all pictures. Initialise to zeros. */
typedef struct TileLayout {
    bool is_pyramid;
    char *pattern; /* owned; of a pyramid, that of pyramid_pattern */
    TileGrid grid; /* columns and rows are set per level */
    ImgStep halve; /* of a pyramid: pyramid_step */
} TileLayout;

/* Chooses the layout by --layout, --size and --overlap. `operand` is PATTERN. IMG_E_USAGE names the
 * correct form. Call tile_layout_free also after a failure. */
ImgStatus tile_layout_choose(TileLayout *layout, const char *operand, const Settings *settings,
                             ImgError *err);
void tile_layout_free(TileLayout *layout);

/* The picture, or one of its sizes in a pyramid. */
typedef struct TileLevel {
    ImgShape shape;
    TileGrid grid;
    int64_t first, count; /* index of its first tile among all tiles, and number of its tiles */
} TileLevel;

/* Tiles of one picture. Initialise to zeros. */
typedef struct TileCut {
    TileLevel levels[PYRAMID_LEVELS_MAX]; /* the largest first */
    int level_count;
    int64_t count; /* number of tiles */
    char **names;  /* owned; of all tiles, then of a pyramid's descriptor */
    bool *made;    /* owned; as TileFiles.made */
    int64_t files; /* number of names */
} TileCut;

/* Computes the levels, without names. */
ImgStatus tile_cut_levels(const TileLayout *layout, ImgShape picture, TileCut *cut, ImgError *err);

/* Then makes the names for an input of that path. Call tile_cut_free also after a failure. */
ImgStatus tile_cut_names(const TileLayout *layout, const char *path, TileCut *cut, ImgError *err);
void tile_cut_free(TileCut *cut);

#endif
