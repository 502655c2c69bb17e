/* Private to the fast histogram of up to 8 bits: the tables of a block in shared memory, one per
 * channel and one for luma. Each table has a column of counters for every lane.
 *
 * The counters of a bin are adjacent, one per lane. So the 32 additions of a warp always go to 32
 * different banks, for any content of the picture. An atomic addition of 1 whose result is not used
 * is a single instruction. Counters cannot overflow: a picture in which one lane counts 2^32 pixels
 * would not fit in memory.
 *
 * A bin of 32 counters has 128 bytes. Two tables share an area in which their bins alternate: bin b
 * of the first table starts at byte 256 b, bin b of the second table 128 bytes later. So in the
 * offset of a counter, bits 0 to 7 depend only on the lane and bits 8 to 15 are the sample. One
 * byte permutation combines both; the start of the table is a constant. A table without a partner
 * needs a shift and a bit selection instead. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_CUDA_COLUMNS_TABLES_CUH
#define IMGTOOL_KERNELS_HISTOGRAM_CUDA_COLUMNS_TABLES_CUH

#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/histogram/cuda/histogram_cuda.cuh"

/* --- Tiles and their pixels ------------------------------------------------------------------- */

/* Tiles of a picture, and the pixels of a tile, in the registers of a warp. */

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

/* --- Tables ----------------------------------------------------------------------------------- */

/* Weights of the channels in luma, as bytes for dot products of four bytes: the high and the low
 * bytes of twice the weights. With twice the weights, the bin of a pixel is one byte of the sum. */
struct LumaBytes {
    uint32_t high, low;
};

inline LumaBytes luma_bytes(ImgLumaWeights weights)
{
    uint32_t red = 2 * weights.red, green = 2 * weights.green, blue = 2 * weights.blue;
    LumaBytes bytes;
    bytes.high = red >> 8 | green >> 8 << 8 | blue >> 8 << 16;
    bytes.low = (red & 0xff) | (green & 0xff) << 8 | (blue & 0xff) << 16;
    return bytes;
}

/* The tables. COLUMNS is the number of columns per table. It is 32, or less if shared memory is
 * short; in this case lanes share columns. */
template <int CHANNELS, bool LUMA, bool SKIP, int COLUMNS> class Tables
{
  public:
    static constexpr int BINS = 256, COUNT = CHANNELS + (LUMA ? 1 : 0);
    static constexpr int TABLE_BYTES = BINS * COLUMNS * 4, BYTES = COUNT * TABLE_BYTES;
    static constexpr bool PAIRS = COLUMNS == 32 && COUNT > 1;

    __device__ explicit Tables(uint8_t *start_) : start(start_), column(threadIdx.x % COLUMNS * 4)
    {
    }

    __device__ void clear() const
    {
        for (int i = threadIdx.x; i < BYTES / 16; i += blockDim.x)
            ((uint4 *)start)[i] = make_uint4(0, 0, 0, 0);
    }

    __device__ void add_pixels(LumaBytes weights, const LanePixels<CHANNELS> &pixels) const
    {
        constexpr int step = CHANNELS == 3 ? 3 : 1;
#pragma unroll
        for (int i = 0; i < LanePixels<CHANNELS>::WORDS; i += step) {
            if (CHANNELS == 3)
                add_three(weights, pixels.words[i], pixels.words[i + step / 2],
                          pixels.words[i + step - 1]);
            else
                add_word(weights, pixels.words[i]);
        }
    }

    /* Returns the sum of all columns of a bin. It reads four counters per load. The lanes of a
     * quarter warp start at different columns, so that they use all banks. */
    __device__ Count sum(int table, int bin) const
    {
        constexpr int VECTORS = COLUMNS / 4;
        const uint4 *counters =
            (const uint4 *)(start + first(table) + bin * (paired(table) ? 2 : 1) * COLUMNS * 4);
        Count total = 0;
#pragma unroll
        for (int i = 0; i < VECTORS; i++) {
            uint4 four = counters[(i + threadIdx.x) % VECTORS];
            total += four.x + four.y + four.z + four.w;
        }
        return total;
    }

  private:
    static_assert(COLUMNS == 32 || COLUMNS == 8, "BIN_SHIFT");
    /* log2 of the number of bytes per bin, in a table without a partner (whose bins do not
     * alternate with the bins of another table) */
    static constexpr int BIN_SHIFT = COLUMNS == 32 ? 7 : 5;
    static constexpr uint32_t BIN_MASK = 0xffu << BIN_SHIFT;

    uint8_t *start;
    uint32_t column; /* offset of this lane's column within a bin, in bytes */

    __device__ static constexpr bool paired(int table)
    {
        return PAIRS && (table % 2 == 1 || table + 1 < COUNT);
    }
    __device__ static constexpr int first(int table)
    {
        return paired(table) ? table / 2 * 2 * TABLE_BYTES + table % 2 * COLUMNS * 4
                             : table * TABLE_BYTES;
    }

    /* Counts the sample in byte BYTE of `word` in table TABLE. */
    template <int TABLE, int BYTE> __device__ void add(uint32_t word) const
    {
        constexpr int shift = 8 * BYTE - BIN_SHIFT;
        uint32_t at;
        if (paired(TABLE))
            at = __byte_perm(word, column, 0x7604 | BYTE << 4);
        else
            at = ((shift < 0 ? word << (-shift & 31) : word >> (shift & 31)) & BIN_MASK) | column;
        atomicAdd((uint32_t *)(start + at + first(TABLE)), 1u);
    }

    __device__ void add_luma(LumaBytes weights, uint32_t rgb) const
    {
        if (!LUMA)
            return;
        uint32_t doubled = (__dp4a(rgb, weights.high, 0u) << 8) +
                           __dp4a(rgb, weights.low, (uint32_t)(2 * IMG_LUMA_HALF));
        static_assert(IMG_LUMA_SHIFT + 1 == 16, "the bin is byte 2");
        add<COUNT - 1, 2>(doubled);
    }

    /* Counts the pixels of one word: four pixels of 1 sample, two of 2 samples, or one of 4
     * samples. */
    __device__ void add_word(LumaBytes weights, uint32_t word) const
    {
        if (CHANNELS == 1) {
            add<0, 0>(word), add<0, 1>(word), add<0, 2>(word), add<0, 3>(word);
        } else if (CHANNELS == 2) {
            if (!SKIP || (word & 0xff00) != 0)
                add<0, 0>(word), add<1 % COUNT, 1>(word);
            if (!SKIP || (word & 0xff000000) != 0)
                add<0, 2>(word), add<1 % COUNT, 3>(word);
        } else if (!SKIP || (word & 0xff000000) != 0) {
            add<0, 0>(word), add<1 % COUNT, 1>(word), add<2 % COUNT, 2>(word);
            add<3 % COUNT, 3>(word);
            add_luma(weights, word);
        }
    }

    /* Counts the four pixels of 3 samples that three words contain. */
    __device__ void add_three(LumaBytes weights, uint32_t a, uint32_t b, uint32_t c) const
    {
        constexpr int G = 1 % COUNT, B = 2 % COUNT;
        add<0, 0>(a), add<G, 1>(a), add<B, 2>(a);
        add_luma(weights, a);
        add<0, 3>(a), add<G, 0>(b), add<B, 1>(b);
        add_luma(weights, __funnelshift_r(a, b, 24));
        add<0, 2>(b), add<G, 3>(b), add<B, 0>(c);
        add_luma(weights, __funnelshift_r(b, c, 16));
        add<0, 1>(c), add<G, 2>(c), add<B, 3>(c);
        add_luma(weights, c >> 8);
    }
};

#endif
