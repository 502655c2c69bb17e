/* How a picture is cut into tiles, row by row; those at the right and at the bottom may be smaller.
 */
#ifndef IMGTOOL_APP_TILES_TILE_GRID_H
#define IMGTOOL_APP_TILES_TILE_GRID_H

#include <stdint.h>

#include "kernels/core/image.h"

typedef struct TileGrid {
    int32_t width, height; /* of a tile, as asked for */
    int32_t overlap;       /* pixels that neighbours have in common */
    int32_t margin;        /* pixels that a tile takes from each neighbour, beside its own */
    int64_t columns, rows;
} TileGrid;

/* "256x128", or "256" for a square. IMG_E_USAGE says what is right; an overlap must be less than
 * both sides. */
ImgStatus tile_grid_parse(const char *size, int32_t overlap, TileGrid *grid, ImgError *err);

/* Counts columns and rows: no more than are needed to have every pixel in a tile. */
void tile_grid_fit(TileGrid *grid, ImgShape picture);

typedef struct TilePlace {
    int32_t x, y, width, height;
} TilePlace;

TilePlace tile_grid_place(const TileGrid *grid, ImgShape picture, int64_t number);

#endif
