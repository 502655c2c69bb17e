/* Private to the fast boxblur on CUDA: division of the work and layout of the workspace for small
 * squares, with radii below box_far_from.
 *
 * A strip of columns has a margin on each side, for the columns that its squares reach. Columns
 * beyond the picture are copied to the workspace, so that threads read all columns in the same way.
 * If squares are high, the workspace also has the column sums at the start of each band of rows.
 * These are computed from sums over the rows of each band, so that each row is read only once. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_BOX_NEAR_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_BOX_NEAR_CUH

#include "kernels/blur/box.h"
#include "kernels/core/cuda/cuda_launch.cuh"

/* Returns the number of adjacent columns that one thread processes. */
IMG_HOST_DEVICE constexpr int box_pixels(int channels)
{
    return channels == 3 ? 8 : 16;
}

/* A group is the box_pixels adjacent columns that one thread reads. */
struct BoxPlan {
    /* number of columns that a strip reads on each side of its results: the radius plus 1, rounded
     * up to whole groups */
    int32_t margin;
    int32_t team, threads;   /* threads that process a strip together; threads per block */
    int32_t columns, strips; /* columns of results per strip; number of strips */
    int32_t rows, bands;     /* rows of results per band; number of bands */
    /* `inside`: number of columns in groups that are completely inside the picture; `right`: number
     * of columns after these that squares reach, rounded up to whole groups */
    int32_t inside, right;
    /* number of groups in a row: groups of the results of all strips, of one margin on the left and
     * of one on the right */
    int32_t groups;
    int32_t reach, rest; /* the radius in whole bands (`reach`), and the remaining rows (`rest`) */
    /* true if a separate kernel computes the column sums at the start of bands */
    bool starts_first;
    size_t side_stride; /* distance between rows in `sides`, in bytes */
    size_t parts_bytes; /* size of each of the three arrays in `parts`, in bytes */
    /* offsets of the arrays `sides`, `parts` and `starts` in the workspace, and the size of the
     * workspace, in bytes */
    size_t sides_at, parts_at, starts_at, bytes;
};

struct BoxTask {
    ImgBox box;
    ImgView src, dst;
    uint32_t quotients; /* byte selector that packs four quotients into a word (pack_four) */
    BoxPlan plan;
    /* pixels of the columns beyond the picture, row by row; in each row, the pixels on the left
     * come first */
    uint8_t *sides;
    uint8_t *background; /* pixels of the background, as many as one thread processes in a row */
    /* Three arrays of column sums for each band: over its first `rest` rows, over its last `rest`
     * rows, and over all its rows. The arrays also have sums for bands beyond the picture, as far
     * as squares extend to them. */
    uint8_t *parts;
    uint32_t *starts;
};

ImgStatus plan_box(const ImgBox &box, ImgShape shape, BoxPlan &plan, ImgError *err);

/* Launches the kernels that fill the workspace with the columns beyond the picture and with the
 * sums at the start of bands. */
ImgStatus box_start(const BoxTask &task, void *stream, ImgError *err);

ImgStatus near_box_means(const BoxTask &task, void *stream, ImgError *err);

/* --- Rows and column sums --------------------------------------------------------------------- */

/* Loads rows of the picture and adds them to column sums. */

constexpr int TOGETHER = 4; /* adjacent results that a thread computes together */

/* Format of the samples and of the column sums of a thread. PACKED sums have 16 bits, which suffice
 * for bytes up to a radius of 127: the sum of 2 * 127 + 1 bytes is below 2^16. */
template <typename Sample_, int CHANNELS_> struct Kind {
    typedef Sample_ Sample;
    static constexpr int CHANNELS = CHANNELS_, SIZE = (int)sizeof(Sample);
    static constexpr bool PACKED = SIZE == 1;
    static constexpr int PIXELS = box_pixels(CHANNELS);
    static constexpr int SAMPLES = PIXELS * CHANNELS, WORDS = SAMPLES * SIZE / 4;
    static constexpr int SUMS = PACKED ? SAMPLES / 2 : SAMPLES;
    /* number of running sums that a thread stores in each of the four planes in shared memory */
    static constexpr int PART = SAMPLES / TOGETHER;
};

/* Calls `run` with the Kind for `format` and returns the status of `run`. */
template <typename Run> ImgStatus with_kind(ImgFormat format, Run run)
{
    const bool is_color = img_format_channels(format) == 3;
    if (format.bits == 16)
        return is_color ? run(Kind<uint16_t, 3>()) : run(Kind<uint16_t, 1>());
    return is_color ? run(Kind<uint8_t, 3>()) : run(Kind<uint8_t, 1>());
}

/* Position of the pixels that a thread reads. Its pixels of row y begin at `from` + y * `stride`;
 * the stride is in bytes. */
struct Columns {
    const uint8_t *from;
    size_t stride;
};

/* Returns the position of the K::PIXELS columns from `left` on, where `left` is a multiple of
 * K::PIXELS. Columns outside all windows have arbitrary samples. */
template <typename K> __device__ inline Columns columns_at(const BoxTask &task, int64_t left)
{
    constexpr int PIXEL = K::CHANNELS * K::SIZE;
    const BoxPlan &plan = task.plan;
    if (left >= 0 && left < plan.inside)
        return {task.src.data + left * PIXEL, task.src.stride};
    const int64_t at = plan.margin + (left < 0 ? left : left - plan.inside);
    if (at < plan.margin + plan.right)
        return {task.sides + at * PIXEL, plan.side_stride};
    return {task.background, 0};
}

/* Loads row y of the columns. If `is_inside` is true, row y must be in the picture; otherwise a row
 * outside is replaced as the border mode defines. */
template <typename K>
__device__ inline void load_row(const BoxTask &task, const Columns &columns, int32_t y,
                                bool is_inside, uint32_t (&words)[K::WORDS])
{
    const int32_t line = is_inside ? y : img_border_place(y, task.src.height, task.box.border);
    const uint8_t *row = line < 0 ? task.background : columns.from + line * columns.stride;
#pragma unroll
    for (int i = 0; i < K::WORDS / 2; i++) {
        const uint2 pair = __ldg(reinterpret_cast<const uint2 *>(row) + i);
        words[2 * i] = pair.x;
        words[2 * i + 1] = pair.y;
    }
}

/* Returns true if the rows from `first` to `end` - 1 are all in the picture. */
__device__ inline bool are_inside(const BoxTask &task, int32_t first, int32_t end)
{
    return first >= 0 && end <= task.src.height;
}

/* Adds the samples of row `in` to the column sums and subtracts the samples of row `out`. */
template <typename K>
__device__ inline void slide(uint32_t (&sums)[K::SUMS], const uint32_t (&in)[K::WORDS],
                             const uint32_t (&out)[K::WORDS])
{
    if (K::PACKED) {
#pragma unroll
        for (int i = 0; i < K::WORDS; i++) {
            sums[2 * i % K::SUMS] += (in[i] & 0xff00ff) - (out[i] & 0xff00ff);
            sums[(2 * i + 1) % K::SUMS] +=
                __byte_perm(in[i], 0, 0x4341) - __byte_perm(out[i], 0, 0x4341);
        }
    } else {
#pragma unroll
        for (int i = 0; i < K::SUMS; i++) {
            const int shift = i % 2 * 16, word = i / 2 % K::WORDS;
            sums[i] += (in[word] >> shift & 0xffff) - (out[word] >> shift & 0xffff);
        }
    }
}

/* Returns the position of the sum of sample `i` among packed sums, in units of 16 bits. The two
 * sums in a word belong to samples `i` and `i` + 2. */
IMG_HOST_DEVICE constexpr int packed_place(int i)
{
    return i / 4 * 4 + i % 2 * 2 + i % 4 / 2;
}

/* Returns `sum` plus the column sum of sample `i`. A packed sum is added with a dot product
 * instruction, which does not occupy the execution units for additions. */
template <typename K>
__device__ inline uint32_t add_column(uint32_t sum, const uint32_t (&sums)[K::SUMS], int i)
{
    if (!K::PACKED)
        return sum + sums[i % K::SUMS];
    const uint32_t pair = sums[packed_place(i) / 2 % K::SUMS];
    return __dp2a_lo(pair, packed_place(i) % 2 == 0 ? 0x0001u : 0x0100u, sum);
}

#endif
