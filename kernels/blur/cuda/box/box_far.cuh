/* Private to the fast box on CUDA: means of larger squares (the "far" box), at a cost that does not
 * depend on the radius.
 *
 * A warp moves down a strip of columns. A lane has 8 or 16 adjacent columns. For each of them it
 * keeps the difference of two column sums: the one at the right edge of the square less the one
 * before its left edge. Along a row, running sums of these differences lead from the sum of one
 * square to that of the next.
 *
 * Two kinds of sums are computed first (box_far_starts.cu): the sum of the square before the first
 * column of a strip, for each row; and the column sums at the start of each band of rows. Both are
 * computed from sums over cells (rectangles) of the picture (box_far_cells.cu). */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_BOX_BOX_FAR_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_BOX_BOX_FAR_CUH

#include "kernels/blur/box.h"
#include "kernels/core/cuda/cuda_launch.cuh"

constexpr int BOX_LANES = 32;
constexpr int BOX_PIECE = 16; /* bytes that are loaded together */
/* largest picture: up to this size, positions and strides fit 32 bits */
constexpr int32_t BOX_FAR_SIZE = 1 << 27;

/* How an axis is divided into cells of `size` pixels. The cells at the ends of squares begin one
 * radius after a multiple of `size`. A square is as long as `back` cells without the first `cut`
 * pixels of the first cell. */
struct BoxAxis {
    int32_t size, count; /* pixels per cell; number of cells that contain results */
    int32_t back, cut;
};

/* How the work is divided. Rows are read in pieces of 16 bytes. Pieces that are not completely
 * inside the picture are copied to the workspace. If all pixels beyond an edge are equal
 * (`repeats`), three pieces per side suffice, because whole pixels fill 48 bytes and then repeat.
 * In the same way one band of rows above the picture and one below it suffice. */
struct BoxFarPlan {
    /* `across`: a cell is as wide as a strip; `down`: a cell is as high as a band */
    BoxAxis across, down;
    bool repeats;
    /* bands whose sums are stored; the first one begins above the picture */
    int32_t first_band, kept_bands;
    /* first piece of a row that is not completely inside the picture, on the right */
    int32_t right_first;
    int32_t right_slots, left_slots; /* pieces stored on each side */
    int32_t samples;                 /* samples in a row of all cells */
    uint32_t side_stride;            /* distance of rows in `sides`, in bytes */
    size_t parts_bytes; /* size of each of the two kinds of sums in `parts`, in bytes */
    size_t parts_at, starts_at, rows_at, prefixes_at, bases_at, lines_at,
        bytes; /* offsets in the workspace, and its size, in bytes */
};

struct BoxFarTask {
    ImgBox box;
    ImgView src, dst;
    double inverse; /* 1 / area */
    BoxFarPlan plan;
    /* Pieces outside the picture, row by row, first those on the right. The row below the picture
     * is the background. */
    uint8_t *sides;
    /* For each column of each band: the sum of all its rows, then the sum of its first `down.cut`
     * rows. */
    uint8_t *parts;
    /* for each band and column: sum of the rows in the square before the first result row */
    uint32_t *starts;
    /* For each cell across and each row: the sum of the row, and the sum of its first `across.cut`
     * columns. */
    uint32_t *rows;
    void *prefixes; /* running sums of the rows of squares, from the top down */
    /* For each row of a strip: the sum of the square before it, plus half the area. It has
     * `box_base_places` channels. */
    void *bases;
    /* source rows for positions -radius - 1 and later, as img_border_place returns them */
    int32_t *lines;
};

/* Format of the samples of a lane. Sums of squares of 16-bit samples, which are below 2^52, are
 * stored as the bits of the double 2^52 + sum (BOX_DOUBLE + sum). */
template <typename Sample_, int CHANNELS_> struct BoxGroup {
    typedef Sample_ Sample;
    static constexpr int CHANNELS = CHANNELS_, SIZE = (int)sizeof(Sample);
    static constexpr int PIXELS = CHANNELS == 3 ? 8 : 16, PIXEL = CHANNELS * SIZE;
    static constexpr int SAMPLES = PIXELS * CHANNELS, WORDS = SAMPLES * SIZE / 4;
    static constexpr int PER_WORD = 4 / SIZE, BYTES = WORDS * 4;
    static constexpr int STRIP = BOX_LANES * PIXELS;
};

/* Calls `run` with the BoxGroup that fits the format. */
template <typename Run> ImgStatus with_box_group(ImgFormat format, Run run)
{
    const bool is_color = img_format_channels(format) == 3;
    if (format.bits == 16)
        return is_color ? run(BoxGroup<uint16_t, 3>()) : run(BoxGroup<uint16_t, 1>());
    return is_color ? run(BoxGroup<uint8_t, 3>()) : run(BoxGroup<uint8_t, 1>());
}

/* Types of the column sums of a band (Part), and of the sums of squares (Total). */
template <typename Sample> struct BoxSums {
    typedef uint32_t Part;
    typedef uint64_t Total;
};
template <> struct BoxSums<uint8_t> {
    typedef uint16_t Part;
    typedef uint32_t Total;
};
constexpr uint64_t BOX_DOUBLE = 0x4330000000000000;

/* Returns how many sums are stored per pixel. Three channels are padded to four, so that one load
 * reads all of them. */
IMG_HOST_DEVICE constexpr int box_base_places(int channels)
{
    return channels == 3 ? 4 : channels;
}

/* Return the column, for the first pixel of a group, at the right edge of its square, and before
 * the left edge of its square. */
IMG_HOST_DEVICE int32_t box_right_column(int32_t group, int pixels, int32_t radius)
{
    return group * pixels + radius;
}
IMG_HOST_DEVICE int32_t box_left_column(int32_t group, int pixels, int32_t radius)
{
    return group * pixels - radius - 1;
}

/* Returns the remainder of number / by, from 0 to by - 1, also for negative numbers. */
IMG_HOST_DEVICE int32_t box_rest(int32_t number, int32_t by)
{
    const int32_t rest = number % by;
    return rest < 0 ? rest + by : rest;
}

/* Returns the piece that contains byte `at` of a row. */
IMG_HOST_DEVICE int32_t box_piece_of(int32_t at)
{
    return (at - box_rest(at, BOX_PIECE)) / BOX_PIECE;
}

/* Returns the slot of a piece in a row of `sides`, or -1 if the piece is in the picture. */
IMG_HOST_DEVICE int32_t box_slot_of(const BoxFarPlan *plan, int32_t piece)
{
    if (piece < 0)
        return plan->right_slots + (plan->repeats ? (-1 - piece) % 3 : -1 - piece);
    const int32_t beyond = piece - plan->right_first;
    return beyond > 0 && plan->repeats ? 1 + (beyond - 1) % 3 : beyond < 0 ? -1 : beyond;
}

/* Returns the same as img_border_place, in 32 bits. Pictures and radii must be far below 2^31. */
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

/* Returns the smallest radius at which this method is faster than the near box. The near box
 * supports radii up to 127. */
inline int32_t box_far_from(ImgFormat format)
{
    return format.bits == 8 && img_format_channels(format) == 3 ? 32 : 128;
}

ImgStatus plan_far_box(const ImgBox &box, ImgShape shape, BoxFarPlan &plan, ImgError *err);
ImgStatus far_box_sides(const BoxFarTask &task, void *stream, ImgError *err);
ImgStatus far_box_cells(const BoxFarTask &task, void *stream, ImgError *err);
ImgStatus far_box_starts(const BoxFarTask &task, void *stream, ImgError *err);
ImgStatus far_box_means(const BoxFarTask &task, void *stream, ImgError *err);

#endif
