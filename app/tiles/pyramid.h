/* Deep Zoom pyramids: a picture at full size, at half of it, and so on down to one pixel. Each
 * level is cut into tiles, and a descriptor, NAME.dzi, describes them to viewers. The tiles are in
 * NAME_files/LEVEL/COLUMN_ROW.png. Level 0 is one pixel. Each side of a level is half of the next
 * level's side, rounded up.
 *
 * https://learn.microsoft.com/previous-versions/windows/silverlight/dotnet-windows-silverlight/cc645077
 */
#ifndef IMGTOOL_APP_TILES_PYRAMID_H
#define IMGTOOL_APP_TILES_PYRAMID_H

#include "app/tiles/tile_grid.h"
#include "kernels/core/op.h"

enum { PYRAMID_LEVELS_MAX = 32, PYRAMID_TEXT = 512 };

/* Makes the step that halves a level. */
ImgStatus pyramid_step(ImgStep *halve, ImgError *err);

/* Computes the shapes of the levels, the largest first. */
ImgStatus pyramid_levels(const ImgStep *halve, ImgShape picture,
                         ImgShape levels[PYRAMID_LEVELS_MAX], int *count, ImgError *err);

/* Returns the pattern (tile_names.h) of NAME for an operand, which is a directory, NAME or
 * NAME.dzi. The caller frees it; NULL: no memory. */
char *pyramid_pattern(const char *operand);

/* Return the patterns of a level's tiles and of the descriptor. The caller frees them; NULL: no
 * memory. */
char *pyramid_tiles_pattern(const char *pattern, int level);
char *pyramid_descriptor_pattern(const char *pattern);

/* Writes the content of the descriptor. */
void pyramid_describe(const TileGrid *grid, ImgShape picture, char text[PYRAMID_TEXT]);

#endif
