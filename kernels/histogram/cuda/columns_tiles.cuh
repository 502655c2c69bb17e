/* Divides a picture among warps, for samples of up to 8 bits.
 *
 * A tile is the data that a warp processes at once: LANE_BYTES for each lane, side by side in one
 * row, or in several rows if rows are short. A warp stays in one column of tiles and moves down. So
 * it finds the next tile with one addition, and the part beyond the right edge of the picture is
 * the same in all of its tiles. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_COLUMNS_TILES_CUH
#define IMGTOOL_KERNELS_HISTOGRAM_COLUMNS_TILES_CUH

#include "kernels/core/cuda/pixel_groups.cuh"

constexpr int LANES = 32;

/* Bytes of a tile per lane: whole pixels in whole vectors of 16 bytes. */
template <int CHANNELS> constexpr int LANE_BYTES = CHANNELS == 3 ? 48 : 64;

struct Tiles {
    uint64_t row_bytes; /* bytes of a row of the picture */
    uint32_t lanes;     /* lanes per row of a tile: 1 << lanes_shift */
    uint32_t lanes_shift;
    uint32_t rows;   /* rows per tile: LANES / lanes */
    uint32_t across; /* tiles per row */
    uint32_t down;   /* tiles per column */
    uint32_t every;  /* distance between the tiles of a warp, in tiles of its column */
    float share;     /* 1 / across */
    size_t step;     /* bytes from one of a warp's tiles to its next */
    /* number of pixels of all tiles together that are beyond the right edge of the picture */
    uint64_t beyond;
};

/* Chooses the lanes per row of a tile: the widest tile that is at least three quarters full, or
 * else the fullest one. With short rows, wide tiles would be partly empty. */
inline uint32_t lanes_of_tile(uint64_t lanes_a_row)
{
    uint32_t best = 1;
    double most = 0;
    for (uint32_t lanes = LANES; lanes > 0; lanes /= 2) {
        uint64_t across = (lanes_a_row - 1) / lanes + 1;
        double full = (double)lanes_a_row / (double)(across * lanes);
        if (full >= 0.75)
            return lanes;
        if (full > most) {
            most = full;
            best = lanes;
        }
    }
    return best;
}

template <int CHANNELS> Tiles cut_in_tiles(const PixelRows &rows)
{
    constexpr uint64_t bytes = LANE_BYTES<CHANNELS>;
    Tiles tiles = {};
    tiles.row_bytes = (uint64_t)rows.width * CHANNELS;
    uint64_t lanes_a_row = (tiles.row_bytes - 1) / bytes + 1;
    tiles.lanes = lanes_of_tile(lanes_a_row);
    while (1u << tiles.lanes_shift < tiles.lanes)
        tiles.lanes_shift++;
    tiles.rows = LANES / tiles.lanes;
    tiles.across = (uint32_t)((lanes_a_row - 1) / tiles.lanes) + 1;
    tiles.share = 1.0f / (float)tiles.across;
    tiles.down = ((uint32_t)rows.height - 1) / tiles.rows + 1;
    uint64_t pixels = (uint64_t)tiles.across * tiles.lanes * (bytes / CHANNELS);
    tiles.beyond = (pixels - (uint64_t)rows.width) * (uint64_t)rows.height;
    return tiles;
}

/* Divides the tiles among `warps` warps. */
inline void share_tiles(Tiles *tiles, const PixelRows &rows, uint32_t warps)
{
    tiles->every = warps > tiles->across ? warps / tiles->across : 1;
    tiles->step = (size_t)tiles->every * tiles->rows * rows.stride;
}

/* Position of a warp in the picture. The first warps get the last positions and therefore the
 * fewest tiles, because the first block has additional work. */
struct TilePlace {
    uint32_t column, tile; /* `across` and `down` mean past the end */

    __device__ TilePlace(const Tiles &tiles, uint32_t warp, uint32_t warps)
    {
        uint32_t number = warps - 1 - warp;
        /* The quotient is exact: half of 1 / across is far larger than the rounding errors. */
        tile = (uint32_t)(((float)number + 0.5f) * tiles.share);
        column = tile < tiles.every ? number - tile * tiles.across : tiles.across;
    }
};

#endif
