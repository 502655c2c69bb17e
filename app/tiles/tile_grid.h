/* The grid that a picture is cut by, row by row. Tiles at the right and bottom edges may be
 * smaller. */
#ifndef IMGTOOL_APP_TILES_TILE_GRID_H
#define IMGTOOL_APP_TILES_TILE_GRID_H

#include <stdint.h>

#include "kernels/core/image.h"

typedef struct TileGrid {
    int32_t width, height; /* of a tile, as requested */
    int32_t overlap;       /* pixels that neighbours share */
    int32_t margin;        /* pixels added from each neighbour */
    int64_t columns, rows;
} TileGrid;

/* Parses "256x128", or "256" for a square. IMG_E_USAGE names the correct form. The overlap must be
 * less than both sides. */
ImgStatus tile_grid_parse(const char *size, int32_t overlap, TileGrid *grid, ImgError *err);

/* Sets columns and rows: the fewest that cover every pixel. */
void tile_grid_fit(TileGrid *grid, ImgShape picture);

typedef struct TilePlace {
    int32_t x, y, width, height;
} TilePlace;

TilePlace tile_grid_place(const TileGrid *grid, ImgShape picture, int64_t number);

#endif
