/* Private to the fast Gaussian on CUDA: its kernels. A picture is either blurred at its own size,
 * or it is reduced, blurred and enlarged again.
 *
 * For a factor of 2 or 4 there are three kernels: the first reduces the picture along both axes,
 * the second blurs the reduced picture, the third enlarges it along both axes. For larger factors
 * two kernels reduce: one computes vertical sums of the source, the other computes horizontal sums
 * of these. Samples between kernels have 16 bits. Samples of 8-bit pictures are lifted, which
 * multiplies them by 64 (window/lift.h); 16-bit samples are not. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_GAUSSIAN_PYRAMID_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_GAUSSIAN_PYRAMID_CUH

#include "kernels/blur/cuda/gaussian_rows.cuh"
#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/window/border.h"

/* --- Tiles ------------------------------------------------------------------------------------ */

/* Loads tiles of the picture to shared memory, one plane per channel. A tile includes pixels
 * beyond the edges of the picture, as the border mode defines them. */

/* A picture without alpha whose rows are aligned to 16 bytes. */
struct TileSource {
    const uint8_t *data;
    size_t stride;
    int32_t width, height, border;
    uint32_t scale;         /* factor that converts samples of fewer than 8 bits to 8 */
    uint16_t background[4]; /* samples beyond the edges for IMG_BORDER_CONSTANT */
    /* Number of columns after which the background repeats: the number of channels if a tile has
     * one plane for all channels, otherwise 1. */
    int32_t period;
};

/* A tile in shared memory. Each plane has ROWS rows of PITCH bytes. In each row, UNITS units of 16
 * bytes are filled. */
template <typename Sample_, int CHANNELS_, int ROWS_, int UNITS_> struct Tile {
    typedef Sample_ Sample;
    static constexpr int CHANNELS = CHANNELS_, ROWS = ROWS_, UNITS = UNITS_;
    static constexpr int SIZE = (int)sizeof(Sample), PIXELS = WIDE_BYTES / SIZE;
    /* An odd number of units of 16 bytes, so that adjacent rows are in different banks. */
    static constexpr int PITCH = (UNITS | 1) * WIDE_BYTES;
    static constexpr int PLANE = ROWS * PITCH, BYTES = CHANNELS * PLANE;

    static __device__ void put_unit(const uint4 (&piece)[CHANNELS], uint32_t scale, uint8_t *to)
    {
        uint32_t word[CHANNELS][4], channel[3][4];
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            take_piece(word[c], piece[c]);
#pragma unroll
        for (int i = 0; i < 4; i++) {
            uint32_t three[3] = {CHANNELS == 1 ? word[0][i] * scale : 0, 0, 0};
            if (CHANNELS == 3) /* RGB has at least 8 bits per sample, so `scale` is 1 */
                separate<Sample>(word[3 * i / 4 % CHANNELS][3 * i % 4],
                                 word[(3 * i + 1) / 4 % CHANNELS][(3 * i + 1) % 4],
                                 word[(3 * i + 2) / 4 % CHANNELS][(3 * i + 2) % 4], three);
#pragma unroll
            for (int c = 0; c < 3; c++)
                channel[c][i] = three[c];
        }
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            *reinterpret_cast<uint4 *>(to + c * PLANE) =
                make_uint4(channel[c][0], channel[c][1], channel[c][2], channel[c][3]);
    }

    /* Returns how many bytes of a source row may be read: its length rounded up to a multiple of
     * 16. */
    static __device__ int64_t readable(const TileSource &src)
    {
        return ((int64_t)src.width * (CHANNELS * SIZE) + WIDE_BYTES - 1) / WIDE_BYTES * WIDE_BYTES;
    }

    /* Returns the background sample of channel c at column x. The index must not be a variable,
     * because that would copy `src` to local memory in each thread. */
    static __device__ uint32_t background(const TileSource &src, int64_t x, int c)
    {
        const int i = CHANNELS == 1 && x > 0 ? (int)(x % src.period) : c;
        const uint32_t red = src.background[0], green = src.background[1], blue = src.background[2];
        return i == 0 ? red : i == 1 ? green : blue;
    }

    /* Fills a unit (16 bytes in each plane), from column x on, with the background. This is needed
     * for rows above and below the picture. */
    static __device__ void put_background(const TileSource &src, int64_t x, uint8_t *to)
    {
        for (int i = 0; i < PIXELS * CHANNELS; i++)
            reinterpret_cast<Sample *>(to + i % CHANNELS * PLANE)[i / CHANNELS] =
                (Sample)background(src, x + i / CHANNELS, i % CHANNELS);
    }

    /* Position of a tile in the source: its first row `top` and its first column `left`, which must
     * be a multiple of PIXELS. */
    struct Place {
        int64_t left, top;
    };

    /* Loads a unit of row y, from column x on. For bytes beyond the picture it loads the nearest 16
     * bytes inside instead; `extend` replaces them. */
    static __device__ void get_unit(const TileSource &src, int64_t x, int32_t y,
                                    uint4 (&piece)[CHANNELS])
    {
        const uint8_t *row = src.data + (size_t)max(y, 0) * src.stride;
        const int64_t offset = max((int64_t)0, x * (CHANNELS * SIZE));
        const int64_t last = readable(src) - WIDE_BYTES;
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            piece[c] =
                __ldg(reinterpret_cast<const uint4 *>(row + min(last, offset + c * WIDE_BYTES)));
    }

    /* Loads the units of a tile. A thread loads several units at the same time; a thread that has
     * no unit left loads the last unit again and discards it. */
    template <int THREADS, bool IS_INSIDE>
    static __device__ void load_units(const TileSource &src, uint8_t *tile, Place at)
    {
        constexpr int TOGETHER = CHANNELS == 3 ? 3 : 6;
        constexpr int ALL = ROWS * UNITS;
        const uint8_t *corner =
            src.data + at.top * (int64_t)src.stride + at.left * (CHANNELS * SIZE);
#pragma unroll 1
        for (int base = (int)threadIdx.x; base < ALL; base += THREADS * TOGETHER) {
            uint4 piece[TOGETHER][CHANNELS];
            int32_t y[TOGETHER];
#pragma unroll
            for (int k = 0; k < TOGETHER; k++) {
                const int i = min(base + k * THREADS, ALL - 1), row = i / UNITS;
                if (IS_INSIDE) {
                    const uint8_t *from =
                        corner + (size_t)row * src.stride + i % UNITS * (CHANNELS * WIDE_BYTES);
#pragma unroll
                    for (int c = 0; c < CHANNELS; c++)
                        piece[k][c] = __ldg(reinterpret_cast<const uint4 *>(from) + c);
                } else {
                    y[k] = img_border_place(at.top + row, src.height, src.border);
                    get_unit(src, at.left + i % UNITS * PIXELS, y[k], piece[k]);
                }
            }
#pragma unroll
            for (int k = 0; k < TOGETHER; k++) {
                const int i = base + k * THREADS, unit = i % UNITS;
                uint8_t *to = tile + i / UNITS * PITCH + unit * WIDE_BYTES;
                if (i < ALL && (IS_INSIDE || y[k] >= 0))
                    put_unit(piece[k], src.scale, to);
                else if (i < ALL)
                    put_background(src, at.left + unit * PIXELS, to);
            }
        }
    }

    /* Loads the tile. Its columns beyond the picture have arbitrary samples until `extend` fills
     * them. */
    template <int THREADS>
    static __device__ void load(const TileSource &src, uint8_t *tile, Place at)
    {
        if (at.top >= 0 && at.top + ROWS <= src.height && at.left >= 0 &&
            (at.left + UNITS * PIXELS) * (CHANNELS * SIZE) <= readable(src))
            load_units<THREADS, true>(src, tile, at);
        else
            load_units<THREADS, false>(src, tile, at);
    }

    /* Returns the sample at (x, y), for a column x beyond the picture. It repeats the source pixel
     * in column `place`, or the background if `place` is negative. The function reads global
     * memory, because this source pixel is not in the tile. */
    static __device__ Sample from_afar(const TileSource &src, int64_t x, int32_t place, int64_t y,
                                       int c)
    {
        const int32_t line = img_border_place(y, src.height, src.border);
        if (place < 0 || line < 0)
            return (Sample)background(src, x, c);
        const uint8_t *from = src.data + (size_t)line * src.stride;
        return (
            Sample)(__ldg(reinterpret_cast<const Sample *>(from) + (size_t)place * CHANNELS + c) *
                    src.scale);
    }

    /* Copies four samples per channel from column `like` of the tile to column `column`, in the
     * rows `first` + k * STEP for k from 0 to 3. The function reads all these samples before it
     * writes one, so that the reads overlap. */
    template <int STEP>
    static __device__ void repeat(uint8_t *tile, int column, int like, int first)
    {
        constexpr int TOGETHER = 4;
        Sample sample[TOGETHER][CHANNELS];
#pragma unroll
        for (int k = 0; k < TOGETHER; k++)
#pragma unroll
            for (int c = 0; c < CHANNELS; c++)
                sample[k][c] = reinterpret_cast<const Sample *>(
                    tile + c * PLANE + min(first + k * STEP, ROWS - 1) * PITCH)[like];
#pragma unroll
        for (int k = 0; k < TOGETHER; k++)
#pragma unroll
            for (int c = 0; c < CHANNELS; c++)
                if (first + k * STEP < ROWS)
                    reinterpret_cast<Sample *>(tile + c * PLANE +
                                               (first + k * STEP) * PITCH)[column] = sample[k][c];
    }

    /* Fills `count` columns of the tile that lie beyond the picture, from column `from` of the tile
     * on. Most of them are copies of other columns of the tile. */
    template <int THREADS>
    static __device__ void extend(const TileSource &src, uint8_t *tile, Place at, int from,
                                  int count)
    {
        /* columns and rows that a block copies at the same time */
        constexpr int SIDE = 16, STEP = THREADS / SIDE;
        for (int number = (int)threadIdx.x % SIDE; number < count; number += SIDE) {
            const int64_t x = at.left + from + number;
            const int32_t place = img_border_place(x, src.width, src.border);
            const int first = (int)threadIdx.x / SIDE;
            if (place >= max(at.left, (int64_t)0) && place < at.left + UNITS * PIXELS) {
                for (int row = first; row < ROWS; row += 4 * STEP)
                    repeat<STEP>(tile, from + number, (int)(place - at.left), row);
                continue;
            }
            for (int row = first; row < ROWS; row += STEP)
                for (int c = 0; c < CHANNELS; c++)
                    reinterpret_cast<Sample *>(tile + c * PLANE + row * PITCH)[from + number] =
                        from_afar(src, x, place, at.top + row, c);
        }
    }

    /* Loads the tile and fills its columns beyond the picture, up to `reach` columns from the edge.
     * All threads of the block must call it. */
    template <int THREADS>
    static __device__ void fill(const TileSource &src, uint8_t *tile, Place at, int reach)
    {
        const int64_t end = src.width - at.left;
        load<THREADS>(src, tile, at);
        if (at.left >= 0 && end >= UNITS * PIXELS)
            return;
        __syncthreads();
        if (at.left < 0) {
            const int before = (int)min(-at.left, (int64_t)UNITS * PIXELS);
            const int count = (int)min((int64_t)before, reach + before + at.left);
            if (count > 0)
                extend<THREADS>(src, tile, at, before - count, count);
        }
        if (end < UNITS * PIXELS) {
            const int from = (int)max(end, (int64_t)0);
            const int count = (int)min((int64_t)UNITS * PIXELS - from, reach + end - from);
            if (count > 0)
                extend<THREADS>(src, tile, at, from, count);
        }
    }
};

/* --- Tasks and launches ----------------------------------------------------------------------- */

/* Parameters for a blur at the picture's own size. Samples have no alpha and are used as they are,
 * without lifting (window/lift.h). `dst` must have the size of the source. */
struct DirectTask {
    TileSource src;
    PictureRows dst;
    int32_t radius; /* radius of the blur in pixels, 1 to IMG_GAUSSIAN_RADIUS */
    int16_t weights[2 * IMG_GAUSSIAN_RADIUS + 2];
    ImgUnsharp mask;
    bool sharpens;
    uint32_t strips; /* number of strips of columns; set by the launch */
};

ImgStatus gaussian_direct(DirectTask task, int bytes_per_sample, int channels, void *stream,
                          ImgError *err);

/* The reduced picture in memory. Its first row has the index -margin, its first column the index
 * -left. Column -2, the first one that enlarging needs, is aligned to 16 bytes. */
struct SmallPicture {
    int32_t factor, margin, left, columns, rows, channels;
    size_t stride; /* distance between rows, in bytes */
    /* distance between rows of the vertical sums of the source, in bytes; 0 if no such sums are
     * stored */
    size_t lower_stride;
};

SmallPicture small_picture(const ImgGaussian &gaussian, ImgShape shape);

/* Computes the reduced picture `small` from `src`, for a factor of 2 or 4. `wide` is true for
 * 16-bit samples. `end` must be in device memory. */
ImgStatus gaussian_reduce(const TileSource &src, bool wide, const ImgBlurEnd *end,
                          const SmallPicture &picture, uint8_t *small, void *stream, ImgError *err);

/* Computes the reduced picture `small` from `src`, for factors of 8 and more. It stores the
 * vertical sums of `src` in `lower`. */
ImgStatus gaussian_shrink(const TileSource &src, bool wide, const ImgBlurEnd *end,
                          const SmallPicture &picture, uint8_t *lower, uint8_t *small, void *stream,
                          ImgError *err);
/* Second half of gaussian_shrink: computes `small` by horizontal sums of `lower`. */
ImgStatus gaussian_shrink_across(const TileSource &src, bool wide, const ImgBlurEnd *end,
                                 const SmallPicture &picture, const uint8_t *lower, uint8_t *small,
                                 void *stream, ImgError *err);

struct EnlargeTask {
    TileSource src; /* the picture before the blur, for sharpening */
    PictureRows dst;
    TileSource small; /* the reduced picture after the blur */
    SmallPicture picture;
    const ImgBlurEnd *end; /* weights and unsharp mask, in device memory */
    ImgUnsharp mask;
    bool sharpens;
    /* number of strips of columns; number of iterations of the loop of each block; the function
     * that launches the kernel sets both */
    uint32_t strips, steps;
};

ImgStatus gaussian_enlarge(EnlargeTask task, bool wide, void *stream, ImgError *err);

#endif
