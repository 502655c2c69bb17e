/* Private to tiles.c. Chooses the layout of tiles, which is a grid or a pyramid of grids. Makes the
 * names of the files of a picture, and writes these files. */
#ifndef IMGTOOL_APP_TILES_TILES_PRIV_H
#define IMGTOOL_APP_TILES_TILES_PRIV_H

#include <stdbool.h>

#include "app/cli/options.h"
#include "app/tiles/tile_grid.h"
#include "io/encode.h"
#include "io/output/output.h"

/* The layout, which is the same for all pictures. Initialise it with zeros. */
typedef struct TileLayout {
    bool is_pyramid;
    char *pattern; /* pattern of the names; for a pyramid, the result of pyramid_pattern; owned */
    TileGrid grid; /* grid of one level; tile_grid_fit sets its columns and rows */
    ImgStep halve; /* the step that makes the next level of a pyramid (pyramid_step) */
} TileLayout;

/* Chooses the layout from --layout, --size and --overlap. `operand` is the operand PATTERN. Fails
 * with IMG_E_USAGE if one of them is invalid; the message names the correct form. Call
 * tile_layout_free also after a failure. */
ImgStatus tile_layout_choose(TileLayout *layout, const char *operand, const Settings *settings,
                             ImgError *err);
void tile_layout_free(TileLayout *layout);

/* One level: the picture or, in a pyramid, one of its smaller sizes. */
typedef struct TileLevel {
    ImgShape shape;
    TileGrid grid;
    /* index of the level's first tile among all tiles of the picture, and number of tiles in the
     * level */
    int64_t first, count;
} TileLevel;

/* The tiles of one picture. Initialise it with zeros. */
typedef struct TileCut {
    TileLevel levels[PYRAMID_LEVELS_MAX]; /* the levels, from the largest to the smallest */
    int level_count;
    int64_t count; /* number of tiles in all levels */
    char **names;  /* names of all tiles, and of a pyramid's descriptor at the end; owned */
    bool *made;    /* true for each file that is new (TileFiles.made); owned */
    int64_t files; /* number of names: one per tile, and 1 more for a pyramid */
} TileCut;

/* Computes the levels and the number of tiles, but no names. */
ImgStatus tile_cut_levels(const TileLayout *layout, ImgShape picture, TileCut *cut, ImgError *err);

/* Makes the names for the input `path`. Call it after tile_cut_levels. Call tile_cut_free also
 * after a failure. */
ImgStatus tile_cut_names(const TileLayout *layout, const char *path, TileCut *cut, ImgError *err);
void tile_cut_free(TileCut *cut);

/* --- Writing the tiles of one picture to files ------------------------------------------------ */

/* A job for tile_files_write. All pointers are borrowed. */
typedef struct TileFiles {
    char *const *names;
    bool *made; /* set for each file: true if it is new, so that it did not replace another file */
    int64_t count;
    const TileGrid *grid; /* the grid, fitted to the image by tile_grid_fit */
    const ImgImage *image;
    const ImgMetadata *metadata; /* metadata that each tile gets */
    ImgFileFormat format;
    ImgEncodeOptions how;         /* options for encoding each tile, which is done by one thread */
    const ImgReplaceGuard *guard; /* guard for each tile; NULL: any existing file may be replaced */
    bool no_clobber;
} TileFiles;

/* Writes the tiles. Each thread of the team writes one tile at a time; the team may be NULL. After
 * a failure no more tiles are started. The message names the file. */
ImgStatus tile_files_write(const TileFiles *files, ImgTeam *team, int threads, ImgError *err);

/* Writes a text in the same way as a tile. The name of its file follows the names of the tiles in
 * files->names. */
ImgStatus tile_files_write_text(const TileFiles *files, const char *text, ImgError *err);

/* Removes the files that are new, after a failure. Files that replaced others stay. */
void tile_files_remove(char *const *names, const bool *made, int64_t count);

#endif
