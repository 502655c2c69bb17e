/* Private to the fast box on CUDA: means of larger squares, at a cost that does not depend on the
 * radius.
 *
 * A warp moves down a strip of columns. For each of 8 or 16 adjacent columns a lane has the
 * difference of two column sums: at the right edge of the square, and before its left edge. Along a
 * row, sums of such differences lead from one square to the next. Two kinds of sums are computed
 * before (box_far_starts.cu): that of the first square of each row of a strip, and the column sums
 * at the start of a band of rows. They come from sums over cells of the picture
 * (box_far_cells.cu). */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_BOX_BOX_FAR_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_BOX_BOX_FAR_CUH

#include "kernels/blur/box.h"
#include "kernels/core/cuda/cuda_launch.cuh"

constexpr int BOX_LANES = 32;
constexpr int BOX_PIECE = 16;             /* bytes */
constexpr int32_t BOX_FAR_SIZE = 1 << 27; /* positions and strides fit 32 bits up to this size */

/* Division along one axis. Cells have `size` positions; cells at the ends of squares begin a radius
 * after a multiple of it. A square is `back` cells long, less the first `cut` positions of the
 * first cell. */
struct BoxAxis {
    int32_t size, count; /* cells of results */
    int32_t back, cut;
};

/* Division of the work. Rows are read in pieces of 16 bytes. Pieces that are not inside the picture
 * are copied to the workspace. If all pixels beyond an edge are alike (`repeats`), there are three
 * pieces per side, because 48 bytes hold whole pixels and then repeat. In the same way there is one
 * band of rows above and one below. */
struct BoxFarPlan {
    BoxAxis across, down; /* across: strips; down: bands */
    bool repeats;
    /* bands whose sums are kept; the first begins before the picture */
    int32_t first_band, kept_bands;
    int32_t right_first;             /* first piece on the right that is not inside the picture */
    int32_t right_slots, left_slots; /* pieces kept on each side */
    int32_t samples;                 /* per row of all cells */
    uint32_t side_stride;            /* bytes */
    size_t parts_bytes;              /* of each of two kinds of sums */
    size_t parts_at, starts_at, rows_at, prefixes_at, bases_at, lines_at,
        bytes; /* offsets in the workspace, and its size */
};

struct BoxFarTask {
    ImgBox box;
    ImgView src, dst;
    double inverse; /* 1 / area */
    BoxFarPlan plan;
    /* pieces outside the picture, row by row, those on the right first; below the picture the
     * background */
    uint8_t *sides;
    /* for each band's columns: sums of all rows, then of the first `down.cut` rows */
    uint8_t *parts;
    uint32_t *starts; /* for each column: sums of the rows that the square before a band covers */
    /* for each row of a cell across: the sum, and that of the first `across.cut` columns */
    uint32_t *rows;
    void *prefixes; /* running sums of a row of squares, downwards */
    /* for each row of a strip, the sum of the square before it plus half the area;
     * `box_base_places` channels */
    void *bases;
    int32_t *lines; /* the rows at position -radius - 1 and further down: see img_border_place */
};

/* How a lane holds samples. Sums of squares of 16-bit samples are kept as the bits of a double with
 * that value plus BOX_DOUBLE, which is 2^52. The sums are below 2^52. */
template <typename Sample_, int CHANNELS_> struct BoxGroup {
    typedef Sample_ Sample;
    static constexpr int CHANNELS = CHANNELS_, SIZE = (int)sizeof(Sample);
    static constexpr int PIXELS = CHANNELS == 3 ? 8 : 16, PIXEL = CHANNELS * SIZE;
    static constexpr int SAMPLES = PIXELS * CHANNELS, WORDS = SAMPLES * SIZE / 4;
    static constexpr int PER_WORD = 4 / SIZE, BYTES = WORDS * 4;
    static constexpr int STRIP = BOX_LANES * PIXELS;
};

/* Calls `run` with the BoxGroup for the format. */
template <typename Run> ImgStatus with_box_group(ImgFormat format, Run run)
{
    const bool is_color = img_format_channels(format) == 3;
    if (format.bits == 16)
        return is_color ? run(BoxGroup<uint16_t, 3>()) : run(BoxGroup<uint16_t, 1>());
    return is_color ? run(BoxGroup<uint8_t, 3>()) : run(BoxGroup<uint8_t, 1>());
}

/* Types of the column sums of a band, and of the sums of squares. */
template <typename Sample> struct BoxSums {
    typedef uint32_t Part;
    typedef uint64_t Total;
};
template <> struct BoxSums<uint8_t> {
    typedef uint16_t Part;
    typedef uint32_t Total;
};
constexpr uint64_t BOX_DOUBLE = 0x4330000000000000;

/* Padded, so that three channels are loaded at once. */
IMG_HOST_DEVICE constexpr int box_base_places(int channels)
{
    return channels == 3 ? 4 : channels;
}

/* Return the column where a group begins at the right end of squares, and before their left end. */
IMG_HOST_DEVICE int32_t box_right_column(int32_t group, int pixels, int32_t radius)
{
    return group * pixels + radius;
}
IMG_HOST_DEVICE int32_t box_left_column(int32_t group, int pixels, int32_t radius)
{
    return group * pixels - radius - 1;
}

/* Returns the remainder, from 0 to by - 1. */
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

/* Returns the slot of a piece in a row of `sides`; -1: it is in the picture. */
IMG_HOST_DEVICE int32_t box_slot_of(const BoxFarPlan *plan, int32_t piece)
{
    if (piece < 0)
        return plan->right_slots + (plan->repeats ? (-1 - piece) % 3 : -1 - piece);
    const int32_t beyond = piece - plan->right_first;
    return beyond > 0 && plan->repeats ? 1 + (beyond - 1) % 3 : beyond < 0 ? -1 : beyond;
}

/* As img_border_place, in 32 bits, for pictures and radii far below 2^31. */
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

/* Returns the radius from which this method is faster. The near box supports at most 127. */
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
