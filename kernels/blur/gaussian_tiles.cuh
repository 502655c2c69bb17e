/* Private to the fast Gaussian on CUDA: tiles of the picture in shared memory, a plane for each
 * channel, with what lies beyond borders. */
#ifndef IMGTOOL_KERNELS_BLUR_GAUSSIAN_TILES_CUH
#define IMGTOOL_KERNELS_BLUR_GAUSSIAN_TILES_CUH

#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/core/window/border.h"

/* Rows aligned to 16 bytes, samples without alpha. */
struct TileSource {
    const uint8_t *data;
    size_t stride;
    int32_t width, height, border;
    uint32_t scale;         /* of samples of fewer than 8 bits */
    uint16_t background[4]; /* of a constant border */
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

__device__ inline uint4 scaled(uint4 v, uint32_t scale)
{
    return make_uint4(v.x * scale, v.y * scale, v.z * scale, v.w * scale);
}

/* ROWS rows of PITCH bytes per plane, of which UNITS times 16 bytes are filled. */
template <typename Sample_, int CHANNELS_, int ROWS_, int UNITS_> struct Tile {
    typedef Sample_ Sample;
    static constexpr int CHANNELS = CHANNELS_, ROWS = ROWS_, UNITS = UNITS_;
    static constexpr int SIZE = (int)sizeof(Sample), PIXELS = WIDE_BYTES / SIZE;
    static constexpr int PITCH = (UNITS | 1) * WIDE_BYTES; /* rows of a matrix in other banks */
    static constexpr int PLANE = ROWS * PITCH, BYTES = CHANNELS * PLANE;

    /* A pixel that may be anywhere. */
    static __device__ void fill_pixel(const TileSource &src, uint8_t *to, int64_t x, int32_t row)
    {
        const int32_t place = img_border_place(x, src.width, src.border);
        const Sample *from = reinterpret_cast<const Sample *>(src.data + (size_t)row * src.stride) +
                             (size_t)place * CHANNELS;
#pragma unroll
        for (int c = 0; c < CHANNELS; c++) {
            Sample sample = (Sample)src.background[c];
            if (place >= 0 && row >= 0)
                sample = (Sample)(from[c] * src.scale);
            *reinterpret_cast<Sample *>(to + c * PLANE) = sample;
        }
    }

    /* A unit inside the picture. */
    static __device__ void fill_inside(const TileSource &src, uint8_t *to, int64_t x, int32_t row)
    {
        uint32_t word[CHANNELS][4], channel[CHANNELS][4];
        const uint8_t *from = src.data + (size_t)row * src.stride + x * (CHANNELS * SIZE);
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            take_piece(word[c], __ldg(reinterpret_cast<const uint4 *>(from) + c));
        if (CHANNELS == 3) {
#pragma unroll
            for (int i = 0; i < 4; i++) {
                uint32_t three[3];
                separate<Sample>(word[3 * i / 4][3 * i % 4],
                                 word[(3 * i + 1) / 4 % CHANNELS][(3 * i + 1) % 4],
                                 word[(3 * i + 2) / 4 % CHANNELS][(3 * i + 2) % 4], three);
#pragma unroll
                for (int c = 0; c < CHANNELS; c++)
                    channel[c][i] = three[c];
            }
        } else {
#pragma unroll
            for (int i = 0; i < 4; i++)
                channel[0][i] = word[0][i];
        }
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            *reinterpret_cast<uint4 *>(to + c * PLANE) = scaled(
                make_uint4(channel[c][0], channel[c][1], channel[c][2], channel[c][3]), src.scale);
    }

    /* Rows from `first` to before ROWS, of which row 0 is the source's row `top`, and column 0 its
     * column `left`, a multiple of PIXELS. */
    template <int THREADS>
    static __device__ void fill(const TileSource &src, uint8_t *tile, int64_t left, int64_t top,
                                int first)
    {
        if (left >= 0 && left + UNITS * PIXELS <= src.width && top + first >= 0 &&
            top + ROWS <= src.height) {
#pragma unroll 4
            for (int i = (int)threadIdx.x; i < (ROWS - first) * UNITS; i += THREADS) {
                const int row = first + i / UNITS, unit = i % UNITS;
                fill_inside(src, tile + row * PITCH + unit * WIDE_BYTES, left + unit * PIXELS,
                            (int32_t)(top + row));
            }
        } else {
            fill_border<THREADS>(src, tile, left, top, first);
        }
    }

    /* The same where some of it lies beyond the picture: units as far as they are inside, the rest
     * pixel by pixel. */
    template <int THREADS>
    static __device__ void fill_border(const TileSource &src, uint8_t *tile, int64_t left,
                                       int64_t top, int first)
    {
        const int begin = units_before(left, 0),
                  end = units_before(left, src.width / PIXELS * PIXELS);
        const int inner = end > begin ? end - begin : 0;
        const int outer = (UNITS - inner) * PIXELS,
                  left_pixels = inner > 0 ? begin * PIXELS : outer;
        for (int i = (int)threadIdx.x; i < (ROWS - first) * inner; i += THREADS) {
            const int row = first + i / inner, unit = begin + i % inner;
            const int32_t y = img_border_place(top + row, src.height, src.border);
            uint8_t *to = tile + row * PITCH + unit * WIDE_BYTES;
            if (y >= 0)
                fill_inside(src, to, left + unit * PIXELS, y);
            for (int k = 0; y < 0 && k < PIXELS; k++)
                fill_pixel(src, to + k * SIZE, left, y);
        }
#pragma unroll 4
        for (int i = (int)threadIdx.x; i < (ROWS - first) * outer; i += THREADS) {
            const int row = first + i / outer, k = i % outer;
            const int pixel = k < left_pixels ? k : k + inner * PIXELS;
            const int32_t y = img_border_place(top + row, src.height, src.border);
            fill_pixel(src, tile + row * PITCH + pixel * SIZE, left + pixel, y);
        }
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
