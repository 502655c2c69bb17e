/* Private to denoise_fast.cu: divides the picture among blocks, defines the shared memory of a
 * block, and stores the weighted means of its pixels. */
#ifndef IMGTOOL_KERNELS_DENOISE_CUDA_DENOISE_PARTS_CUH
#define IMGTOOL_KERNELS_DENOISE_CUDA_DENOISE_PARTS_CUH

#include "kernels/denoise/cuda/pixel_quads.cuh"
#include "kernels/denoise/denoise.h"

/* --- The shared memory of a block ------------------------------------------------------------- */

/* The shared memory of a block. It contains the pixels that are compared and averaged, and a table
 * of weights. */

/* A warp has 32 x OWN columns and ROWS rows of pixels. The first and the last OWN columns get no
 * result; they only provide sums for their neighbours. */
constexpr int DENOISE_LANES = 32, DENOISE_OWN = 4, DENOISE_ROWS = 8, DENOISE_WARPS = 8;
constexpr int DENOISE_THREADS = DENOISE_LANES * DENOISE_WARPS;
/* number of columns of results per block */
constexpr int DENOISE_ACROSS = (DENOISE_LANES - 2) * DENOISE_OWN;
constexpr int DENOISE_DOWN = DENOISE_WARPS * DENOISE_ROWS;

/* Largest number of columns that a search reaches on each side, rounded up to a multiple of OWN. A
 * row is stored as OWN planes: columns 0, 4, 8 ..., then 1, 5, 9 ... and so on. So neighbouring
 * lanes access different banks. */
constexpr int DENOISE_MARGIN = 16;
constexpr int DENOISE_PLANE = (DENOISE_LANES * DENOISE_OWN + 2 * DENOISE_MARGIN) / DENOISE_OWN;
constexpr int DENOISE_PITCH = DENOISE_PLANE * DENOISE_OWN; /* number of words per row */
static_assert(DENOISE_MARGIN > IMG_DENOISE_SEARCH && DENOISE_MARGIN % DENOISE_OWN == 0,
              "columns of all offsets are in the tile, and a thread's own begin a plane");

/* Returns the position, in its row, of a column of the tile. */
__device__ constexpr int denoise_place(int column)
{
    return column % DENOISE_OWN * DENOISE_PLANE + column / DENOISE_OWN;
}

/* The type that holds a pixel (see pair_word). A gray pixel needs only half a word. In 16-bit gray,
 * a pixel has two numbers: one to compare and one to average. */
template <int COLORS> struct DenoisePixel {
    typedef uint32_t Word;
};
template <> struct DenoisePixel<1> {
    typedef uint16_t Word;
};

/* Returns `sum` plus the squared difference of the pixels `a` and `b`. */
template <bool WIDE> __device__ uint32_t denoise_add_square(uint32_t a, uint32_t b, uint32_t sum)
{
    if (WIDE) {
        const int32_t apart = (int32_t)a - (int32_t)b;
        return sum + (uint32_t)(apart * apart);
    }
    const uint32_t apart = __vabsdiffu4(a, b);
    return __dp4a(apart, apart, sum);
}

/* Numbers that convert a sum of squares to the position of a weight in the table. Sums that differ
 * only in their last `down` bits have the same weight. Neighbouring weights are 2^step bytes
 * apart. */
struct DenoiseScale {
    uint32_t farthest, down, step, factor;
    int32_t weights;
};

/* Returns the numbers for a table of weights. If `is_masked`, neighbouring weights are 2^down bytes
 * apart. Then a sum without its last bits is the byte offset of its weight, and no shift is
 * needed. */
inline DenoiseScale denoise_scale(const ImgDenoise *own, bool is_masked)
{
    const DenoiseScale scale = {own->farthest, own->down, is_masked ? own->down : 1,
                                own->factor << own->up, (int32_t)(own->farthest >> own->down) + 1};
    return scale;
}

template <typename Word> struct DenoiseTile {
    uint8_t *weights;
    /* numbers to compare and to average; both are the same unless samples have 16 bits */
    Word *compared, *weighed;

    template <bool MASKED> __device__ uint32_t weight(const DenoiseScale &scale, uint32_t sum) const
    {
        const uint32_t near = min(sum, scale.farthest);
        const uint32_t place = MASKED ? near & ~0U << scale.down : (near >> scale.down) * 2;
        return *reinterpret_cast<const uint16_t *>(weights + place);
    }
};

/* Returns the number of rows in the tile for `down` rows of the result. One row is added because
 * two rows of offsets are processed together. */
IMG_HOST_DEVICE int32_t denoise_rows(const ImgDenoise *own, int32_t down)
{
    return down + 2 * (own->patch + own->search) + 1;
}

/* Returns the size of the table in bytes, rounded up to whole words. */
IMG_HOST_DEVICE size_t denoise_table_bytes(const DenoiseScale *scale)
{
    return (((size_t)scale->weights << scale->step) + 3) / 4 * 4;
}

inline size_t denoise_bytes(const ImgDenoise *own, const DenoiseScale *scale)
{
    return denoise_table_bytes(scale) +
           (size_t)denoise_rows(own, DENOISE_DOWN) * DENOISE_PITCH * sizeof(uint32_t);
}

template <bool WIDE, typename Word> struct DenoisePut {
    const DenoiseTile<Word> &tile;

    __device__ void pixel(int32_t line, int32_t column, uint32_t pixel) const
    {
        const int32_t at = line * DENOISE_PITCH + denoise_place(column);
        tile.weighed[at] = (Word)pixel;
        if (WIDE)
            /* the same number as img_denoise_guide computes for pictures without alpha */
            tile.compared[at] = (Word)(pixel >> 5);
    }
    __device__ void quad(int32_t line, int32_t quad, uint4 pixels) const
    {
        pixel(line, 4 * quad, pixels.x);
        pixel(line, 4 * quad + 1, pixels.y);
        pixel(line, 4 * quad + 2, pixels.z);
        pixel(line, 4 * quad + 3, pixels.w);
    }
};

/* Fills the tile with the pixels that `down` rows of the result depend on. (`left`, `top`) is the
 * first pixel of the result. */
template <bool WIDE, int COLORS, typename Word>
__device__ void denoise_fill(const DenoiseTile<Word> &tile, const ImgDenoise &own,
                             const ImgView &src, int32_t left, int32_t top, int32_t down)
{
    using Read = ReadQuads<WIDE, COLORS, DENOISE_THREADS, DENOISE_PITCH / 4, 4>;
    Read::run(own.weighed, src, left - DENOISE_OWN - DENOISE_MARGIN, top - own.patch - own.search,
              denoise_rows(&own, down), DenoisePut<WIDE, Word>{tile});
}

__device__ inline void denoise_fill_weights(uint8_t *weights, const DenoiseScale &scale)
{
    for (int32_t i = (int32_t)threadIdx.x; i < scale.weights; i += DENOISE_THREADS)
        *reinterpret_cast<uint16_t *>(weights + (i << scale.step)) =
            (uint16_t)img_decay((uint32_t)i * scale.factor >> 16);
}

/* --- Parts ------------------------------------------------------------------------------------ */

/* The pixels that a block computes, called a part. A part is usually a tile. If the last tiles
 * would leave most multiprocessors idle, each is divided into several parts of DENOISE_ROWS rows.
 * The warps of a block then divide the offsets of the search among themselves. */
struct DenoisePart {
    /* position of the part in the picture, and this warp's first row in the part; all in pixels */
    int32_t left, top, line;
    int32_t rows; /* number of rows of the part */
    /* first column of offsets that this warp processes, and distance to the next column that it
     * processes */
    int32_t first, step;
    bool is_shared;

    /* Determines the position and size of part number `number`. The tiles from number `whole` on
     * are divided into several parts. */
    __device__ DenoisePart(uint32_t number, uint32_t whole, uint32_t tiles_across, int32_t search)
        : is_shared(number >= whole)
    {
        const int32_t warp = (int32_t)threadIdx.x / DENOISE_LANES;
        const uint32_t piece = is_shared ? (number - whole) % DENOISE_WARPS : 0;
        const uint32_t tile = is_shared ? whole + (number - whole) / DENOISE_WARPS : number;
        left = (int32_t)(tile % tiles_across) * DENOISE_ACROSS;
        top = (int32_t)(tile / tiles_across) * DENOISE_DOWN + (int32_t)piece * DENOISE_ROWS;
        line = is_shared ? 0 : warp * DENOISE_ROWS;
        rows = is_shared ? DENOISE_ROWS : DENOISE_DOWN;
        first = is_shared ? warp - search : -search;
        step = is_shared ? DENOISE_WARPS : 1;
    }
};

/* Stores the mean of pixel `j` of a lane in row `y`. */
template <bool WIDE, int COLORS>
__device__ void denoise_store(const ImgView &dst, int32_t left, int32_t y, int j,
                              const PairSums<WIDE, COLORS> &sums)
{
    const int32_t lane = (int32_t)threadIdx.x % DENOISE_LANES;
    const int32_t x = left + (lane - 1) * DENOISE_OWN + j;
    if (lane > 0 && lane + 1 < DENOISE_LANES && x < dst.width && y < dst.height)
        PairSums<WIDE, COLORS>::store(dst, x, y, sums.means());
}

/* Adds up the sums that all warps of a block have for the same pixels. `all` is the shared memory
 * for this. Then each warp stores one row of means. */
template <bool WIDE, int COLORS>
__device__ void denoise_join(uint32_t *all, const ImgView &dst, const DenoisePart &part,
                             const PairSums<WIDE, COLORS> (&sums)[DENOISE_ROWS][DENOISE_OWN])
{
    constexpr int EACH = PairSums<WIDE, COLORS>::PARTS + 1;
    static_assert(DENOISE_ROWS == DENOISE_WARPS, "a row for each warp");
    const int32_t lane = (int32_t)threadIdx.x % DENOISE_LANES;
    const int32_t warp = (int32_t)threadIdx.x / DENOISE_LANES;
    __syncthreads(); /* waits until all threads have read the tile, whose memory is used again */
    for (int32_t turn = 0; turn < DENOISE_WARPS; turn++) {
        IMG_DENOISE_UNROLL
        for (int k = 0; k < DENOISE_ROWS * DENOISE_OWN * EACH; k++) {
            const PairSums<WIDE, COLORS> &own =
                sums[k / EACH / DENOISE_OWN][k / EACH % DENOISE_OWN];
            const uint32_t sum = k % EACH + 1 < EACH ? own.parts[k % EACH] : own.weights;
            if (warp == turn)
                all[k * DENOISE_LANES + lane] =
                    sum + (turn > 0 ? all[k * DENOISE_LANES + lane] : 0);
        }
        __syncthreads();
    }
    IMG_DENOISE_UNROLL
    for (int j = 0; j < DENOISE_OWN; j++) {
        const uint32_t *from = all + ((warp * DENOISE_OWN + j) * EACH) * DENOISE_LANES + lane;
        PairSums<WIDE, COLORS> sum;
        IMG_DENOISE_UNROLL
        for (int p = 0; p + 1 < EACH; p++)
            sum.parts[p] = from[p * DENOISE_LANES];
        sum.weights = from[(EACH - 1) * DENOISE_LANES];
        denoise_store(dst, part.left, part.top + warp, j, sum);
    }
}

#endif
