/* The grid by which a picture is cut into tiles, row by row. Tiles at the right and bottom edges
 * may be smaller than the others. */
#ifndef IMGTOOL_APP_TILES_TILE_GRID_H
#define IMGTOOL_APP_TILES_TILE_GRID_H

#include <stdint.h>

#include "kernels/core/image.h"
#include "kernels/core/op.h"

typedef struct TileGrid {
    int32_t width, height; /* size of a tile in pixels, as requested */
    int32_t overlap;       /* number of pixels that neighbouring tiles share */
    int32_t margin;        /* number of pixels that a tile gets from each neighbour */
    int64_t columns, rows;
} TileGrid;

/* Parses the size of a tile, "256x128", or "256" for a square. Fails with IMG_E_USAGE for any other
 * size; the message names the correct form. `overlap` must be less than both sides. */
ImgStatus tile_grid_parse(const char *size, int32_t overlap, TileGrid *grid, ImgError *err);

/* Sets `columns` and `rows` to the smallest numbers of tiles that cover the whole picture. */
void tile_grid_fit(TileGrid *grid, ImgShape picture);

typedef struct TilePlace {
    int32_t x, y, width, height;
} TilePlace;

TilePlace tile_grid_place(const TileGrid *grid, ImgShape picture, int64_t number);

/* --- Pyramids ------------------------------------------------------------------------------------
 *
 * A Deep Zoom pyramid has a picture at full size, at half of it, and so on down to one pixel. Each
 * level is cut into tiles, and a descriptor, NAME.dzi, describes them to viewers. The tiles are in
 * NAME_files/LEVEL/COLUMN_ROW.png. Level 0 is one pixel. Each side of a level is half of the next
 * level's side, rounded up.
 *
 * https://learn.microsoft.com/previous-versions/windows/silverlight/dotnet-windows-silverlight/cc645077
 */

enum { PYRAMID_LEVELS_MAX = 32, PYRAMID_TEXT = 512 };

/* Makes the step that halves a level, which gives the next smaller level. */
ImgStatus pyramid_step(ImgStep *halve, ImgError *err);

/* Computes the shapes of all levels, from the largest to the smallest. */
ImgStatus pyramid_levels(const ImgStep *halve, ImgShape picture,
                         ImgShape levels[PYRAMID_LEVELS_MAX], int *count, ImgError *err);

/* Returns the pattern (tile_names.h) of NAME, the common part of all names of a pyramid. `operand`
 * is a directory, NAME or NAME.dzi. Returns NULL if there is no memory. The caller frees the
 * pattern. */
char *pyramid_pattern(const char *operand);

/* pyramid_tiles_pattern returns the pattern of the tiles of a level, and pyramid_descriptor_pattern
 * the pattern of the descriptor. Both return NULL if there is no memory. The caller frees the
 * pattern. */
char *pyramid_tiles_pattern(const char *pattern, int level);
char *pyramid_descriptor_pattern(const char *pattern);

/* Writes the content of the descriptor, which is XML. */
void pyramid_describe(const TileGrid *grid, ImgShape picture, char text[PYRAMID_TEXT]);

#endif
