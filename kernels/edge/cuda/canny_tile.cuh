/* Private to canny_fast.cu: a tile of the picture in shared memory, and the stages from samples to
 * smoothed gray. A tile has margins, because sums and comparisons need pixels around it. */
#ifndef IMGTOOL_KERNELS_EDGE_CUDA_CANNY_TILE_CUH
#define IMGTOOL_KERNELS_EDGE_CUDA_CANNY_TILE_CUH

#include "kernels/edge/cuda/canny_forest.cuh"

namespace canny
{

/* A block processes one tile through all stages in shared memory. The radius of the Gaussian is a
 * compile-time constant. For smaller radii, the weights are padded with zeros. */
constexpr int COLUMNS = CANNY_TILE_WORDS * CANNY_WORD, ROWS = CANNY_TILE_ROWS;
constexpr int THREADS = 256, LANES = 32, WORDS = CANNY_TILE_WORDS * ROWS;
/* number of vertical and of horizontal sums that a thread computes together */
constexpr int RUN_DOWN = 6, RUN_ACROSS = 12;
/* number of pixels per thread, in one column */
constexpr int THREAD_ROWS = ROWS * COLUMNS / THREADS;

template <int RADIUS> struct Tile {
    /* The gray of a tile has a halo: the radius, plus one pixel for Sobel's operator and one for
     * the suppression. The number of columns is rounded up to groups of four. */
    static constexpr int HALO = RADIUS + 2, SIDE = (HALO + 3) / 4 * 4;
    static constexpr int GRAY_COLUMNS = COLUMNS + 2 * SIDE, GRAY_ROWS = ROWS + 2 * HALO;
    /* Layout of the vertical sums. The pitch is an odd number of words, because neighbouring
     * threads access different rows, which must lie in different banks. */
    static constexpr int LOWER_PITCH = GRAY_COLUMNS / 2 % 2 != 0 ? GRAY_COLUMNS : GRAY_COLUMNS + 2;
    static constexpr int LOWER_ROWS = ROWS + 4;
    /* Layout of the smoothed gray, which has two more pixels than the tile on all sides. Two more
     * columns make the pitch an odd number of words. */
    static constexpr int SMOOTH_COLUMNS = (COLUMNS + 4 + RUN_ACROSS - 1) / RUN_ACROSS * RUN_ACROSS;
    static constexpr int SMOOTH_PITCH = SMOOTH_COLUMNS + 2, SMOOTH_ROWS = LOWER_ROWS;
    /* Layout of the squared magnitudes, which have one more pixel than the tile on all sides. One
     * more column makes the pitch an odd number of words. */
    static constexpr int MAGNITUDE_PITCH = COLUMNS + 3, MAGNITUDE_ROWS = ROWS + 2;

    static constexpr int max_of(int a, int b)
    {
        return a > b ? a : b;
    }
    /* Sizes in shared memory, in bytes: of gray, and of all arrays together. Smoothed gray uses the
     * memory of gray, and magnitudes use the memory of vertical sums. */
    static constexpr int FIRST = 2 * max_of(GRAY_COLUMNS * GRAY_ROWS, SMOOTH_PITCH *SMOOTH_ROWS);
    static constexpr int BYTES =
        FIRST + max_of(2 * LOWER_PITCH * LOWER_ROWS, 4 * MAGNITUDE_PITCH * MAGNITUDE_ROWS);
    static_assert(LOWER_PITCH / 2 % 2 == 1 && SMOOTH_PITCH / 2 % 2 == 1, "rows in turn of banks");
    static_assert(LOWER_ROWS % RUN_DOWN == 0, "sums down come in whole runs");
};

/* --- Gray ------------------------------------------------------------------------------------- */

template <typename Sample, int CHANNELS>
__device__ void four_grays(const ImgCanny &canny, const uint8_t *row, int32_t x, int32_t (&gray)[4])
{
    constexpr int WORDS = CHANNELS * (int)sizeof(Sample), EACH = 4 / (int)sizeof(Sample);
    const uint32_t *from = reinterpret_cast<const uint32_t *>(row) + (size_t)x / 4 * WORDS;
    uint32_t words[WORDS], sample[4 * CHANNELS];
#pragma unroll
    for (int i = 0; i < WORDS; i++)
        words[i] = __ldg(from + i);
#pragma unroll
    for (int i = 0; i < 4 * CHANNELS; i++)
        sample[i] = words[i / EACH] >> i % EACH * 8 * (int)sizeof(Sample) & (Sample)-1;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const uint32_t *own = sample + i * CHANNELS;
        uint32_t luma = own[0];
        if constexpr (CHANNELS > 2)
            luma = img_luma(canny.luma, own[0], own[1], own[2]);
        gray[i] = CHANNELS % 2 != 0 ? img_canny_gray_opaque(&canny, luma)
                                    : img_canny_gray_alpha(&canny, luma, own[CHANNELS - 1]);
    }
}

__device__ inline void load_four(const ImgCanny &canny, const ImgView &src, const uint8_t *row,
                                 int32_t x, int32_t (&gray)[4])
{
    if (src.format.bits == 16) {
        switch (canny.channels) {
        case 1:
            return four_grays<uint16_t, 1>(canny, row, x, gray);
        case 2:
            return four_grays<uint16_t, 2>(canny, row, x, gray);
        case 3:
            return four_grays<uint16_t, 3>(canny, row, x, gray);
        default:
            return four_grays<uint16_t, 4>(canny, row, x, gray);
        }
    }
    switch (canny.channels) {
    case 1:
        return four_grays<uint8_t, 1>(canny, row, x, gray);
    case 2:
        return four_grays<uint8_t, 2>(canny, row, x, gray);
    case 3:
        return four_grays<uint8_t, 3>(canny, row, x, gray);
    default:
        return four_grays<uint8_t, 4>(canny, row, x, gray);
    }
}

/* Computes the gray of the tile and its halo, four pixels per thread at a time. (`left`, `top`) is
 * the tile's first pixel. */
template <int RADIUS>
__device__ void fill(const ImgCanny &canny, const ImgView &src, int32_t left, int32_t top,
                     int16_t *gray)
{
    using T = Tile<RADIUS>;
    constexpr int GROUPS = T::GRAY_COLUMNS / 4;
    for (int i = (int)threadIdx.x; i < GROUPS * T::GRAY_ROWS; i += THREADS) {
        const int32_t x = left - T::SIDE + i % GROUPS * 4, y = top - T::HALO + i / GROUPS;
        const int32_t line = img_border_place(y, src.height, canny.border);
        int32_t own[4];
        if (x >= 0 && x + 4 <= src.width && line >= 0)
            load_four(canny, src, src.data + (size_t)line * src.stride, x, own);
        else
            for (int k = 0; k < 4; k++)
                own[k] = canny_gray_at(canny, src, (int64_t)x + k, y);
        reinterpret_cast<uint2 *>(gray)[i] = make_uint2((uint32_t)own[0] | (uint32_t)own[1] << 16,
                                                        (uint32_t)own[2] | (uint32_t)own[3] << 16);
    }
}

/* --- Smoothing -------------------------------------------------------------------------------- */

/* Adds `value`, weighted, to all sums that contain it. Each sum adds up 2 * RADIUS + 1 consecutive
 * values, and begins one value later than the sum before it. `number` is the index of `value`,
 * counted from the first value of the first sum. */
template <int RADIUS, int SUMS>
__device__ void add(const ImgCanny &canny, int number, int32_t value, int32_t (&sums)[SUMS])
{
#pragma unroll
    for (int j = 0; j < SUMS; j++)
        if (number - j >= 0 && number - j <= 2 * RADIUS)
            sums[j] += canny.weights[number - j] * value;
}

template <int SUMS> __device__ void start(int32_t (&sums)[SUMS])
{
#pragma unroll
    for (int j = 0; j < SUMS; j++)
        sums[j] = 1 << (IMG_CANNY_PLACES - 1);
}

/* Converts two sums to gray, and packs them in a word of shared memory. */
__device__ inline uint32_t rounded(int32_t first, int32_t second)
{
    return (uint32_t)(first >> IMG_CANNY_PLACES) | (uint32_t)(second >> IMG_CANNY_PLACES) << 16;
}

/* Computes the vertical sums. Each thread computes RUN_DOWN rows of two columns. */
template <int RADIUS>
__device__ void smooth_down(const ImgCanny &canny, const int16_t *gray, int16_t *lower)
{
    using T = Tile<RADIUS>;
    constexpr int PAIRS = T::GRAY_COLUMNS / 2;
    const uint32_t *from = reinterpret_cast<const uint32_t *>(gray);
    uint32_t *to = reinterpret_cast<uint32_t *>(lower);
    for (int i = (int)threadIdx.x; i < PAIRS * (T::LOWER_ROWS / RUN_DOWN); i += THREADS) {
        const int pair = i % PAIRS, first = i / PAIRS * RUN_DOWN;
        int32_t even[RUN_DOWN], odd[RUN_DOWN];
        start(even);
        start(odd);
#pragma unroll
        for (int k = 0; k < RUN_DOWN + 2 * RADIUS; k++) {
            const uint32_t word = from[(first + k) * PAIRS + pair];
            add<RADIUS>(canny, k, (int32_t)(word & 0xffff), even);
            add<RADIUS>(canny, k, (int32_t)(word >> 16), odd);
        }
#pragma unroll
        for (int j = 0; j < RUN_DOWN; j++)
            to[(first + j) * (T::LOWER_PITCH / 2) + pair] = rounded(even[j], odd[j]);
    }
}

/* Computes the horizontal sums. Each thread computes RUN_ACROSS pixels of a row. */
template <int RADIUS>
__device__ void smooth_across(const ImgCanny &canny, const int16_t *lower, int16_t *smooth)
{
    using T = Tile<RADIUS>;
    /* Number of values at the start of a row that no sum uses, because the halo is rounded up from
     * HALO to SIDE columns. */
    constexpr int OFFSET = T::SIDE - T::HALO, RUNS = T::SMOOTH_COLUMNS / RUN_ACROSS;
    for (int i = (int)threadIdx.x; i < RUNS * T::SMOOTH_ROWS; i += THREADS) {
        const int line = i % T::SMOOTH_ROWS, first = i / T::SMOOTH_ROWS * RUN_ACROSS;
        const uint32_t *from =
            reinterpret_cast<const uint32_t *>(lower) + (line * T::LOWER_PITCH + first) / 2;
        uint32_t *to = reinterpret_cast<uint32_t *>(smooth) + (line * T::SMOOTH_PITCH + first) / 2;
        int32_t sums[RUN_ACROSS];
        start(sums);
#pragma unroll
        for (int k = OFFSET / 2; 2 * k < OFFSET + RUN_ACROSS + 2 * RADIUS; k++) {
            const uint32_t word = 2 * k + first < T::GRAY_COLUMNS ? from[k] : 0;
            add<RADIUS>(canny, 2 * k - OFFSET, (int32_t)(word & 0xffff), sums);
            add<RADIUS>(canny, 2 * k + 1 - OFFSET, (int32_t)(word >> 16), sums);
        }
#pragma unroll
        for (int j = 0; j < RUN_ACROSS; j += 2)
            to[j / 2] = rounded(sums[j], sums[j + 1]);
    }
}

/* Accesses smoothed gray by the position (x, y) of a pixel, relative to the tile's first pixel.
 * Positions up to two pixels outside the tile are allowed. */
template <int RADIUS> struct Smooth {
    const int16_t *values;
    int pitch;

    __device__ Smooth(int16_t *first, int16_t *second, const ImgCanny &canny)
        : values(first + 2 * Tile<RADIUS>::SMOOTH_PITCH + 2), pitch(Tile<RADIUS>::SMOOTH_PITCH)
    {
        if (RADIUS == 0) {
            /* without smoothing, gray is at another position in the memory and has another pitch */
            values = first + 2 * Tile<RADIUS>::GRAY_COLUMNS + Tile<RADIUS>::SIDE;
            pitch = Tile<RADIUS>::GRAY_COLUMNS;
            return;
        }
        smooth_down<RADIUS>(canny, first, second);
        __syncthreads();
        smooth_across<RADIUS>(canny, second, first);
        __syncthreads();
    }
    __device__ int32_t at(int x, int y) const
    {
        return values[y * pitch + x];
    }
};

} // namespace canny

#endif
