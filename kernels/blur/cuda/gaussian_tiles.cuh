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

    /* A unit inside the picture. */
    static __device__ void fill_inside(const TileSource &src, uint8_t *to, int64_t x, int32_t y)
    {
        const uint8_t *from = src.data + (size_t)y * src.stride + x * (CHANNELS * SIZE);
        uint4 piece[CHANNELS];
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            piece[c] = __ldg(reinterpret_cast<const uint4 *>(from) + c);
        put_unit(piece, src.scale, to);
    }

    /* A unit that may be anywhere, a few pixels at a time, whose loads are under way together. */
    static __device__ void fill_edge(const TileSource &src, uint8_t *to, int64_t x, int32_t y)
    {
        constexpr int BATCH = 4;
        const Sample *row =
            reinterpret_cast<const Sample *>(src.data + (size_t)(y < 0 ? 0 : y) * src.stride);
#pragma unroll 1
        for (int base = 0; base < PIXELS; base += BATCH) {
            int32_t place[BATCH];
            uint32_t sample[BATCH][CHANNELS];
#pragma unroll
            for (int k = 0; k < BATCH; k++)
                place[k] = img_border_place(x + base + k, src.width, src.border);
#pragma unroll
            for (int k = 0; k < BATCH * CHANNELS; k++) {
                const int32_t at = place[k / CHANNELS];
                sample[k / CHANNELS][k % CHANNELS] =
                    __ldg(row + (size_t)(at < 0 ? 0 : at) * CHANNELS + k % CHANNELS);
            }
#pragma unroll
            for (int k = 0; k < BATCH * CHANNELS; k++) {
                const int pixel = k / CHANNELS, c = k % CHANNELS;
                const bool is_inside = y >= 0 && place[pixel] >= 0;
                reinterpret_cast<Sample *>(to + c * PLANE)[base + pixel] =
                    (Sample)(is_inside ? sample[pixel][c] * src.scale
                                       : background(src, x + base + pixel, c));
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
        const int units = (ROWS - first) * UNITS;
        if (left >= 0 && left + UNITS * PIXELS <= src.width && top + first >= 0 &&
            top + ROWS <= src.height) {
#pragma unroll 4
            for (int i = (int)threadIdx.x; i < units; i += THREADS) {
                const int row = first + i / UNITS, unit = i % UNITS;
                fill_inside(src, tile + row * PITCH + unit * WIDE_BYTES, left + unit * PIXELS,
                            (int32_t)(top + row));
            }
            return;
        }
        for (int i = (int)threadIdx.x; i < units; i += THREADS) {
            const int row = first + i / UNITS, unit = i % UNITS;
            const int64_t x = left + unit * PIXELS;
            const int32_t y = img_border_place(top + row, src.height, src.border);
            uint8_t *to = tile + row * PITCH + unit * WIDE_BYTES;
            if (y >= 0 && x >= 0 && x + PIXELS <= src.width)
                fill_inside(src, to, x, y);
            else
                fill_edge(src, to, x, y);
        }
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
