/* Private to the fast histogram of up to 8 bits: tiles of a picture, and the pixels of a tile, in
 * the registers of a warp. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_CUDA_COLUMNS_PIXELS_CUH
#define IMGTOOL_KERNELS_HISTOGRAM_CUDA_COLUMNS_PIXELS_CUH

#include "kernels/core/cuda/pixel_groups.cuh"

/* --- Tiles ------------------------------------------------------------------------------------ */

/* The types of this section divide a picture among warps.
 *
 * A tile is the data that a warp processes at once, LANE_BYTES bytes for each lane. The lanes are
 * side by side in one row, or in several rows if rows are short. A warp stays in one column of
 * tiles and moves down. So it finds the next tile with one addition, and the part beyond the right
 * edge of the picture is the same in all of its tiles. */

constexpr int LANES = 32;

/* Number of bytes of a tile per lane: whole pixels, and whole vectors of 16 bytes. */
template <int CHANNELS> constexpr int LANE_BYTES = CHANNELS == 3 ? 48 : 64;

struct Tiles {
    uint64_t row_bytes; /* number of bytes of a row of the picture */
    uint32_t lanes;     /* number of lanes per row of a tile: 1 << lanes_shift */
    uint32_t lanes_shift;
    uint32_t rows;   /* number of rows per tile: LANES / lanes */
    uint32_t across; /* number of tiles per row of tiles */
    uint32_t down;   /* number of tiles per column of tiles */
    /* A warp processes every `every`-th tile of its column of tiles; other warps process the tiles
     * between. */
    uint32_t every;
    float share; /* 1 / across */
    size_t step; /* number of bytes from a tile of a warp to the next tile of the warp */
    /* Number of pixels in all tiles together that lie beyond the right edge of the picture. */
    uint64_t beyond;
};

/* Returns the number of lanes per row of a tile. A row of the picture has enough bytes for
 * `lanes_a_row` lanes. If this is not a multiple of the tile's width, the last tile of a row is
 * partly empty. The function chooses the widest tile for which at least three quarters of all lanes
 * have bytes. If there is no such tile, it chooses the one with the largest share of such lanes. */
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

/* Computes the members of *tiles that depend on the number of warps. */
inline void share_tiles(Tiles *tiles, const PixelRows &rows, uint32_t warps)
{
    tiles->every = warps > tiles->across ? warps / tiles->across : 1;
    tiles->step = (size_t)tiles->every * tiles->rows * rows.stride;
}

/* Position of a warp's next tile. The first warps get the last positions, which have the fewest
 * tiles, because the first block has additional work. */
struct TilePlace {
    /* Index of the column of tiles, and index of the tile in this column. No tile is left if
     * `column` is Tiles.across or `tile` is the number of tiles in the column. */
    uint32_t column, tile;

    __device__ TilePlace(const Tiles &tiles, uint32_t warp, uint32_t warps)
    {
        uint32_t number = warps - 1 - warp;
        /* The integer quotient is exact: adding 0.5 keeps the float at least 0.5 / across away from
         * the next integer, far more than its rounding error. */
        tile = (uint32_t)(((float)number + 0.5f) * tiles.share);
        column = tile < tiles.every ? number - tile * tiles.across : tiles.across;
    }
};

/* --- The pixels of a tile --------------------------------------------------------------------- */

/* The pixels of a tile that one lane counts. */
template <int CHANNELS> struct LanePixels {
    static constexpr int VECTORS = LANE_BYTES<CHANNELS> / 16, WORDS = 4 * VECTORS;
    uint32_t words[WORDS];

    __device__ void put(int v, uint4 vector)
    {
        words[4 * v] = vector.x;
        words[4 * v + 1] = vector.y;
        words[4 * v + 2] = vector.z;
        words[4 * v + 3] = vector.w;
    }

    /* Loads vectors of 16 bytes that are `apart` bytes from each other. Vectors that begin at or
     * after byte `rest` become zero. The code has no branch, so that all loads run at the same
     * time. */
    __device__ void load(const uint8_t *at, int apart, int rest)
    {
#pragma unroll
        for (int v = 0; v < VECTORS; v++)
            put(v, v * apart < rest ? __ldcs((const uint4 *)(at + v * apart))
                                    : make_uint4(0, 0, 0, 0));
    }

    /* Sets the bytes from byte `rest` on to zero. It changes only the vector that is partly inside
     * the row. */
    __device__ void cut(int apart, int rest)
    {
#pragma unroll
        for (int v = 0; v < VECTORS; v++) {
            int inside = rest - v * apart;
            if (inside <= 0 || inside >= 16)
                continue;
#pragma unroll
            for (int i = 0; i < 4; i++) {
                int bytes = inside - 4 * i;
                if (bytes < 4)
                    words[4 * v + i] &= bytes > 0 ? (1u << 8 * bytes) - 1 : 0;
            }
        }
    }
};

#endif
