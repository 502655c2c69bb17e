/* Private to the fast boxblur on CUDA: means of large squares (the "far" box), at a cost that does
 * not depend on the radius.
 *
 * A warp moves down a strip of columns. Each lane processes a group of 8 or 16 adjacent columns.
 * For the square around each of these columns it keeps a difference: the sum of the last column of
 * the square, minus the sum of the column before the square. By this difference, the sum of the
 * square is larger than the sum of the square one column further left. So a running sum of
 * differences along a row gives the sums of all squares.
 *
 * The kernel in box_far_starts.cu first computes two kinds of sums. For each row of a strip it
 * computes the sum of the square around the pixel left of the strip. For each band of rows it
 * computes the column sums of the squares around the row above the band. Both are computed from
 * sums over cells (rectangles) of the picture, which box_far_cells.cu computes. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_BOX_FAR_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_BOX_FAR_CUH

#include "kernels/blur/box.h"
#include "kernels/core/cuda/async_copy.cuh"
#include "kernels/core/cuda/cuda_launch.cuh"

constexpr int BOX_LANES = 32;
/* bytes per piece of a row; a thread copies a whole piece at a time */
constexpr int BOX_PIECE = 16;
/* largest width and height in pixels: up to this size, positions and strides fit in 32 bits */
constexpr int32_t BOX_FAR_SIZE = 1 << 27;

/* Division of one axis into cells of `size` pixels. Cells begin one radius after multiples of
 * `size`. The side of a square is `back` cells long, minus the first `cut` pixels of the first
 * cell. */
struct BoxAxis {
    /* pixels per cell; number of strips (across) or bands (down) that contain results */
    int32_t size, count;
    int32_t back, cut;
};

/* Division of the work. Rows are read in pieces of 16 bytes. Pieces that are not completely inside
 * the picture are copied to the workspace. If the pixels of a row beyond an edge are all equal
 * (`repeats`), three pieces per side suffice, because 48 bytes hold whole pixels of every format.
 * On the right there is one more, the piece that contains the edge. Likewise, one band of rows
 * above the picture and one below it suffice. */
struct BoxFarPlan {
    /* `across`: cells as wide as a strip; `down`: cells as high as a band */
    BoxAxis across, down;
    bool repeats;
    /* index of the first band whose sums are stored, negative because the band is above the
     * picture; number of bands whose sums are stored */
    int32_t first_band, kept_bands;
    /* index of the first piece of a row that extends beyond the right edge of the picture */
    int32_t right_first;
    /* number of pieces per row in `sides`: for columns beyond the right edge of the picture, and
     * for columns beyond the left edge */
    int32_t right_slots, left_slots;
    int32_t samples;      /* number of samples in a row that spans all cells */
    uint32_t side_stride; /* distance between rows in `sides`, in bytes */
    size_t parts_bytes;   /* size of each of the two arrays in `parts`, in bytes */
    size_t parts_at, starts_at, rows_at, prefixes_at, bases_at, lines_at,
        bytes; /* offsets of arrays in the workspace, and size of the workspace, in bytes */
};

struct BoxFarTask {
    ImgBox box;
    ImgView src, dst;
    double inverse; /* 1 / box.area */
    BoxFarPlan plan;
    /* Copies of the pieces outside the picture, row by row; in each row, the pieces on the right
     * come first. One more row, below the picture, has the background. */
    uint8_t *sides;
    /* Two arrays of column sums, with plan.kept_bands rows of plan.samples sums each. A sum in the
     * first array covers all rows of a band; a sum in the second array covers the first
     * `plan.down.cut` rows of the band. */
    uint8_t *parts;
    /* for each band: column sums of the squares around the row above the band */
    uint32_t *starts;
    /* For each column of cells and each row: the sum of the row within the cell, and the sum of the
     * first `across.cut` columns of the row. */
    uint32_t *rows;
    /* For each strip and channel: running sums of row_of_square (box_far_starts.cu), from row 0
     * down. */
    void *prefixes;
    /* For each row of a strip: the sum of the square around the pixel left of the strip. The stored
     * sum is increased by half the area, which rounds the mean (8 bits), or by BOX_DOUBLE (16
     * bits). An entry has box_base_places(channels) sums. */
    void *bases;
    /* for each row from -radius - 1 on: its source row, as img_border_place returns it */
    int32_t *lines;
};

/* Format of the samples of a lane. The sum of a square of 16-bit samples is below 2^52. The sum is
 * stored as BOX_DOUBLE + sum, which are the bits of the double 2^52 + sum. */
template <typename Sample_, int CHANNELS_> struct BoxGroup {
    typedef Sample_ Sample;
    static constexpr int CHANNELS = CHANNELS_, SIZE = (int)sizeof(Sample);
    static constexpr int PIXELS = CHANNELS == 3 ? 8 : 16, PIXEL = CHANNELS * SIZE;
    static constexpr int SAMPLES = PIXELS * CHANNELS, WORDS = SAMPLES * SIZE / 4;
    static constexpr int PER_WORD = 4 / SIZE, BYTES = WORDS * 4;
    static constexpr int STRIP = BOX_LANES * PIXELS;
};

/* Calls `run` with the BoxGroup for `format` and returns the status of `run`. */
template <typename Run> ImgStatus with_box_group(ImgFormat format, Run run)
{
    const bool is_color = img_format_channels(format) == 3;
    if (format.bits == 16)
        return is_color ? run(BoxGroup<uint16_t, 3>()) : run(BoxGroup<uint16_t, 1>());
    return is_color ? run(BoxGroup<uint8_t, 3>()) : run(BoxGroup<uint8_t, 1>());
}

/* Types of two kinds of sums: Part for column sums within a band, Total for sums over a square. */
template <typename Sample> struct BoxSums {
    typedef uint32_t Part;
    typedef uint64_t Total;
};
template <> struct BoxSums<uint8_t> {
    typedef uint16_t Part;
    typedef uint32_t Total;
};
constexpr uint64_t BOX_DOUBLE = 0x4330000000000000;

/* Returns how many sums per pixel the array `bases` has. Three channels are padded to four, so that
 * one load reads all of them. */
IMG_HOST_DEVICE constexpr int box_base_places(int channels)
{
    return channels == 3 ? 4 : channels;
}

/* box_right_column returns the last column of the square around the first pixel of a group.
 * box_left_column returns the column before the first column of that square. */
IMG_HOST_DEVICE int32_t box_right_column(int32_t group, int pixels, int32_t radius)
{
    return group * pixels + radius;
}
IMG_HOST_DEVICE int32_t box_left_column(int32_t group, int pixels, int32_t radius)
{
    return group * pixels - radius - 1;
}

/* Returns `number` modulo `by`, from 0 to by - 1, also for a negative number. */
IMG_HOST_DEVICE int32_t box_rest(int32_t number, int32_t by)
{
    const int32_t rest = number % by;
    return rest < 0 ? rest + by : rest;
}

/* Returns the index of the piece that contains byte `at` of a row; the index is negative left of
 * the picture. */
IMG_HOST_DEVICE int32_t box_piece_of(int32_t at)
{
    return (at - box_rest(at, BOX_PIECE)) / BOX_PIECE;
}

/* Returns the index of a piece in a row of `sides`, or -1 if the piece is completely inside the
 * picture. */
IMG_HOST_DEVICE int32_t box_slot_of(const BoxFarPlan *plan, int32_t piece)
{
    if (piece < 0)
        return plan->right_slots + (plan->repeats ? (-1 - piece) % 3 : -1 - piece);
    const int32_t beyond = piece - plan->right_first;
    return beyond > 0 && plan->repeats ? 1 + (beyond - 1) % 3 : beyond < 0 ? -1 : beyond;
}

/* Returns the same as img_border_place, but computes in 32 bits. `size` and the absolute value of
 * `at` must be far below 2^31. */
IMG_HOST_DEVICE int32_t box_place(int32_t at, int32_t size, int32_t border)
{
    if (at >= 0 && at < size)
        return at;
    if (border == IMG_BORDER_CONSTANT)
        return -1;
    if (border == IMG_BORDER_REPLICATE || size == 1)
        return at < 0 ? 0 : size - 1;
    const uint32_t period = border == IMG_BORDER_WRAP ? (uint32_t)size : 2 * (uint32_t)size - 2;
    const uint32_t place =
        at < 0 ? period - 1 - (uint32_t)(-1 - at) % period : (uint32_t)at % period;
    return (int32_t)(place < (uint32_t)size ? place : period - place);
}

/* Returns the smallest radius for which the far box is used. For 8-bit RGB it is faster than the
 * near box from 32 on; the near box supports radii up to 127. */
inline int32_t box_far_from(ImgFormat format)
{
    return format.bits == 8 && img_format_channels(format) == 3 ? 32 : 128;
}

ImgStatus plan_far_box(const ImgBox &box, ImgShape shape, BoxFarPlan &plan, ImgError *err);
ImgStatus far_box_sides(const BoxFarTask &task, void *stream, ImgError *err);
ImgStatus far_box_cells(const BoxFarTask &task, void *stream, ImgError *err);
ImgStatus far_box_starts(const BoxFarTask &task, void *stream, ImgError *err);
ImgStatus far_box_means(const BoxFarTask &task, void *stream, ImgError *err);

/* --- Loading rows ----------------------------------------------------------------------------- */

/* Loads rows. A warp copies pieces of 16 bytes to shared memory some rows before it needs them.
 * Thus its accesses to global memory are coalesced, although each lane processes its own group of
 * pixels. */

/* The part of each row that a warp copies: the pieces that contain the columns of BOX_LANES groups,
 * from column `x` on. */
template <typename G> struct BoxRange {
    static constexpr int PIECES = BOX_LANES * G::BYTES / BOX_PIECE + 1;
    /* largest number of pieces that a lane copies */
    static constexpr int EACH = (PIECES - 1) / BOX_LANES + 1;
    static constexpr int BYTES = PIECES * BOX_PIECE;
    /* addresses of the lane's pieces in row 0 of the source; those in row y are y * stride bytes
     * later */
    const uint8_t *from[EACH];
    uint32_t stride[EACH];
    int32_t first; /* index in the row of the first piece that the warp copies */

    __device__ BoxRange(const BoxFarTask &task, int32_t x) : first(box_piece_of(x * G::PIXEL))
    {
        const BoxFarPlan &plan = task.plan;
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            const int32_t piece = first + i * BOX_LANES + (int32_t)threadIdx.x % BOX_LANES;
            const int32_t slot = box_slot_of(&plan, piece);
            from[i] = slot < 0 ? task.src.data + (ptrdiff_t)piece * BOX_PIECE
                               : task.sides + slot * BOX_PIECE;
            stride[i] = slot < 0 ? (uint32_t)task.src.stride : plan.side_stride;
        }
    }
    __device__ static bool has(int i)
    {
        return (i + 1) * BOX_LANES <= PIECES ||
               i * BOX_LANES + (int32_t)threadIdx.x % BOX_LANES < PIECES;
    }
    /* Starts to copy the warp's pieces of source row `line` to `to`. */
    __device__ void copy(int32_t line, uint8_t *to) const
    {
        uint8_t *own = to + (int32_t)threadIdx.x % BOX_LANES * BOX_PIECE;
#pragma unroll
        for (int i = 0; i < EACH; i++)
            if (has(i))
                begin_copy<true>(own + i * (BOX_LANES * BOX_PIECE),
                                 from[i] + (uint64_t)(uint32_t)line * stride[i]);
    }
    /* Starts to copy a row of the background, instead of a source row, to `to`. */
    __device__ void copy_background(const BoxFarTask &task, uint8_t *to) const
    {
        const uint8_t *row = task.sides + (size_t)task.src.height * task.plan.side_stride;
#pragma unroll 1
        for (int32_t i = (int32_t)threadIdx.x % BOX_LANES; i < PIECES; i += BOX_LANES)
            begin_copy<true>(to + i * BOX_PIECE, row + box_rest(first + i, 3) * BOX_PIECE);
    }
};

#endif
