/* The layout of tiles, which is a grid or a pyramid of grids, and the names of the files of a
 * picture. */
#ifndef IMGTOOL_APP_TILES_TILE_LAYOUT_H
#define IMGTOOL_APP_TILES_TILE_LAYOUT_H

#include <stdbool.h>

#include "app/cli/options.h"
#include "app/tiles/tile_grid.h"

/* The layout, which is the same for all pictures. Initialise it with zeros. */
typedef struct TileLayout {
    bool is_pyramid;
    char *pattern; /* pattern of the names; for a pyramid, the result of pyramid_pattern; owned */
    TileGrid grid; /* grid of one level; tile_grid_fit sets its columns and rows */
    ImgStep halve; /* the step that makes the next level of a pyramid (pyramid_step) */
} TileLayout;

/* Chooses the layout from --layout, --size and --overlap. `operand` is the operand PATTERN. Fails
 * with IMG_E_USAGE; the message names the correct form. Call tile_layout_free also after a
 * failure. */
ImgStatus tile_layout_choose(TileLayout *layout, const char *operand, const Settings *settings,
                             ImgError *err);
void tile_layout_free(TileLayout *layout);

/* One level: the picture or, in a pyramid, one of its smaller sizes. */
typedef struct TileLevel {
    ImgShape shape;
    TileGrid grid;
    int64_t first, count; /* index of its first tile among all tiles, and number of its tiles */
} TileLevel;

/* The tiles of one picture. Initialise it with zeros. */
typedef struct TileCut {
    TileLevel levels[PYRAMID_LEVELS_MAX]; /* the levels, from the largest to the smallest */
    int level_count;
    int64_t count; /* number of tiles */
    char **names;  /* names of all tiles, then that of a pyramid's descriptor; owned */
    bool *made;    /* which files are new (TileFiles.made); owned */
    int64_t files; /* number of names */
} TileCut;

/* Computes the levels and the number of tiles, but no names. */
ImgStatus tile_cut_levels(const TileLayout *layout, ImgShape picture, TileCut *cut, ImgError *err);

/* Makes the names for the input `path`. Call it after tile_cut_levels. Call tile_cut_free also
 * after a failure. */
ImgStatus tile_cut_names(const TileLayout *layout, const char *path, TileCut *cut, ImgError *err);
void tile_cut_free(TileCut *cut);

#endif
