/* Private to the fast Gaussian on CUDA: tiles of the picture in shared memory, a plane for each
 * channel, with what lies beyond borders. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_GAUSSIAN_TILES_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_GAUSSIAN_TILES_CUH

#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/core/window/border.h"

/* Rows aligned to 16 bytes, samples without alpha. */
struct TileSource {
    const uint8_t *data;
    size_t stride;
    int32_t width, height, border;
    uint32_t scale;         /* of samples of fewer than 8 bits */
    uint16_t background[4]; /* of a constant border */
    int32_t period;         /* of tiles with one plane: of how many columns the background is */
};

/* Three words of pixels of three channels become one of each. */
template <typename Sample>
__device__ inline void separate(uint32_t a, uint32_t b, uint32_t c, uint32_t (&channel)[3])
{
    if (sizeof(Sample) == 2) {
        channel[0] = __byte_perm(a, b, 0x7610);
        channel[1] = __byte_perm(a, c, 0x5432);
        channel[2] = __byte_perm(b, c, 0x7610);
    } else {
        channel[0] = __byte_perm(__byte_perm(a, b, 0x0630), c, 0x5210);
        channel[1] = __byte_perm(__byte_perm(a, b, 0x0741), c, 0x6210);
        channel[2] = __byte_perm(__byte_perm(a, b, 0x0052), c, 0x7410);
    }
}

/* ROWS rows of PITCH bytes per plane, of which UNITS times 16 bytes are filled. */
template <typename Sample_, int CHANNELS_, int ROWS_, int UNITS_> struct Tile {
    typedef Sample_ Sample;
    static constexpr int CHANNELS = CHANNELS_, ROWS = ROWS_, UNITS = UNITS_;
    static constexpr int SIZE = (int)sizeof(Sample), PIXELS = WIDE_BYTES / SIZE;
    static constexpr int PITCH = (UNITS | 1) * WIDE_BYTES; /* rows of a matrix in other banks */
    static constexpr int PLANE = ROWS * PITCH, BYTES = CHANNELS * PLANE;

    static __device__ void put_unit(const uint4 (&piece)[CHANNELS], uint32_t scale, uint8_t *to)
    {
        uint32_t word[CHANNELS][4], channel[3][4];
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            take_piece(word[c], piece[c]);
#pragma unroll
        for (int i = 0; i < 4; i++) {
            uint32_t three[3] = {word[0][i], 0, 0};
            if (CHANNELS == 3)
                separate<Sample>(word[3 * i / 4 % CHANNELS][3 * i % 4],
                                 word[(3 * i + 1) / 4 % CHANNELS][(3 * i + 1) % 4],
                                 word[(3 * i + 2) / 4 % CHANNELS][(3 * i + 2) % 4], three);
#pragma unroll
            for (int c = 0; c < 3; c++)
                channel[c][i] = three[c] * scale;
        }
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            *reinterpret_cast<uint4 *>(to + c * PLANE) =
                make_uint4(channel[c][0], channel[c][1], channel[c][2], channel[c][3]);
    }

    /* `count` units of each row from `first` on, from unit `begin` on, which lie inside the
     * picture. BATCH loads are under way together. */
    template <int THREADS>
    static __device__ void fill_units(const TileSource &src, uint8_t *tile, int64_t left,
                                      int64_t top, int first, int begin, int count)
    {
        constexpr int BATCH = 4;
        const int all = (ROWS - first) * count;
        const uint8_t *from = src.data + (left + begin * PIXELS) * (CHANNELS * SIZE);
        for (int base = (int)threadIdx.x; base < all; base += BATCH * THREADS) {
            const uint8_t *at[BATCH];
            uint4 piece[BATCH][CHANNELS];
#pragma unroll
            for (int k = 0; k < BATCH; k++) {
                const int i = base + k * THREADS < all ? base + k * THREADS : base;
                const int32_t y = img_border_place(top + first + i / count, src.height, src.border);
                at[k] = from + (size_t)y * src.stride + i % count * (WIDE_BYTES * CHANNELS);
            }
#pragma unroll
            for (int k = 0; k < BATCH * CHANNELS; k++)
                piece[k / CHANNELS][k % CHANNELS] =
                    __ldg(reinterpret_cast<const uint4 *>(at[k / CHANNELS]) + k % CHANNELS);
#pragma unroll
            for (int k = 0; k < BATCH; k++) {
                const int i = base + k * THREADS;
                if (i < all)
                    put_unit(piece[k], src.scale,
                             tile + (first + i / count) * PITCH + (begin + i % count) * WIDE_BYTES);
            }
        }
    }

    /* Pixels of each row that lie anywhere: those before the units [begin, begin + count), and
     * those after. */
    template <int THREADS>
    static __device__ void fill_pixels(const TileSource &src, uint8_t *tile, int64_t left,
                                       int64_t top, int first, int begin, int count)
    {
        constexpr int BATCH = 4;
        const int before = begin * PIXELS, width = (UNITS - count) * PIXELS;
        const int all = (ROWS - first) * width;
        for (int base = (int)threadIdx.x; base < all; base += BATCH * THREADS) {
            const Sample *at[BATCH];
            Sample sample[BATCH][CHANNELS];
            bool is_background[BATCH];
#pragma unroll
            for (int k = 0; k < BATCH; k++) {
                const int i = base + k * THREADS < all ? base + k * THREADS : base;
                const int column = i % width + (i % width < before ? 0 : count * PIXELS);
                const int32_t y = img_border_place(top + first + i / width, src.height, src.border);
                const int32_t x = img_border_place(left + column, src.width, src.border);
                is_background[k] = x < 0 || y < 0;
                at[k] = reinterpret_cast<const Sample *>(src.data +
                                                         (size_t)(y < 0 ? 0 : y) * src.stride) +
                        (size_t)(x < 0 ? 0 : x) * CHANNELS;
            }
#pragma unroll
            for (int k = 0; k < BATCH * CHANNELS; k++)
                sample[k / CHANNELS][k % CHANNELS] = __ldg(at[k / CHANNELS] + k % CHANNELS);
#pragma unroll
            for (int k = 0; k < BATCH; k++) {
                const int i = base + k * THREADS;
                const int column = i % width + (i % width < before ? 0 : count * PIXELS);
                for (int c = 0; c < CHANNELS && i < all; c++)
                    *reinterpret_cast<Sample *>(tile + c * PLANE + (first + i / width) * PITCH +
                                                column * SIZE) =
                        (Sample)(is_background[k] ? background(src, left + column, c)
                                                  : sample[k][c] * src.scale);
            }
        }
    }

    static __device__ uint32_t background(const TileSource &src, int64_t x, int c)
    {
        return src.background[CHANNELS == 1 && x > 0 ? (int)(x % src.period) : c];
    }

    /* Rows from `first` to before ROWS, of which row 0 is the source's row `top`, and column 0 its
     * column `left`, a multiple of PIXELS. */
    template <int THREADS>
    static __device__ void fill(const TileSource &src, uint8_t *tile, int64_t left, int64_t top,
                                int first)
    {
        if (left >= 0 && left + UNITS * PIXELS <= src.width && !is_constant(src, top, first)) {
            fill_units<THREADS>(src, tile, left, top, first, 0, UNITS);
            return;
        }
        const int begin = units_before(left, 0);
        const int end = units_before(left, src.width / PIXELS * PIXELS);
        const int count = end > begin && !is_constant(src, top, first) ? end - begin : 0;
        if (count > 0)
            fill_units<THREADS>(src, tile, left, top, first, begin, count);
        if (count < UNITS)
            fill_pixels<THREADS>(src, tile, left, top, first, count > 0 ? begin : UNITS, count);
    }

    /* Are some of the rows of the background? */
    static __device__ bool is_constant(const TileSource &src, int64_t top, int first)
    {
        return src.border == IMG_BORDER_CONSTANT && (top + first < 0 || top + ROWS > src.height);
    }

    /* Units of the tile that begin before the picture's column x. */
    static __device__ int units_before(int64_t left, int64_t x)
    {
        const int64_t units = (x - left) / PIXELS;
        return (int)(units < 0 ? 0 : units > UNITS ? UNITS : units);
    }

    /* The last `count` rows become the first. */
    template <int THREADS> static __device__ void keep_last(uint8_t *tile, int count)
    {
        const int units = count * (PITCH / WIDE_BYTES);
        for (int i = (int)threadIdx.x; i < CHANNELS * units; i += THREADS) {
            uint8_t *to = tile + i / units * PLANE + i % units * WIDE_BYTES;
            *reinterpret_cast<uint4 *>(to) =
                *reinterpret_cast<const uint4 *>(to + (ROWS - count) * PITCH);
        }
    }
};

#endif
