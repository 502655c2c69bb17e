/* Deep Zoom pyramids: a picture at full size, at half of it, and so on down to one pixel. Each
 * level is cut into tiles, and a descriptor, NAME.dzi, tells viewers of them. The tiles lie in
 * NAME_files/LEVEL/COLUMN_ROW.png. Level 0 is one pixel, and each side of a level is half of the
 * next level's, rounded up.
 * https://learn.microsoft.com/previous-versions/windows/silverlight/dotnet-windows-silverlight/cc645077
 */
#ifndef IMGTOOL_APP_TILES_PYRAMID_H
#define IMGTOOL_APP_TILES_PYRAMID_H

#include "app/tiles/tile_grid.h"
#include "kernels/core/op.h"

enum { PYRAMID_LEVELS_MAX = 32, PYRAMID_TEXT = 512 };

/* The step from each level to the next smaller one. */
ImgStatus pyramid_step(ImgStep *halve, ImgError *err);

/* Shapes of the levels by that step, the picture's own first. */
ImgStatus pyramid_levels(const ImgStep *halve, ImgShape picture,
                         ImgShape levels[PYRAMID_LEVELS_MAX], int *count, ImgError *err);

/* The pattern (tile_names.h) of NAME above, for an operand: a directory, NAME or NAME.dzi. To be
 * freed; NULL: no memory. */
char *pyramid_pattern(const char *operand);

/* Patterns of the tiles of a level and of the descriptor. To be freed; NULL: no memory. */
char *pyramid_tiles_pattern(const char *pattern, int level);
char *pyramid_descriptor_pattern(const char *pattern);

/* Contents of the descriptor. */
void pyramid_describe(const TileGrid *grid, ImgShape picture, char text[PYRAMID_TEXT]);

#endif
