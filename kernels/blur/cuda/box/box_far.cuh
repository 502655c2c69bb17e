/* Private to the fast box on CUDA: means of larger squares, at a cost that does not depend on the
 * radius.
 *
 * A warp goes down a strip of columns. Its lanes have, of each of 8 or 16 columns next to each
 * other, the difference of two sums of columns: that of the square's right edge less that of the
 * column before its left edge. Along a row, sums of such differences lead from one square to the
 * next. What the first square of each row of a strip is worth, and the sums of columns that a band
 * of rows begins with, is made before (box_far_starts.cu), of sums over cells of the picture
 * (box_far_cells.cu). */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_BOX_BOX_FAR_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_BOX_BOX_FAR_CUH

#include "kernels/blur/box.h"
#include "kernels/core/cuda/cuda_launch.cuh"

constexpr int BOX_LANES = 32;
constexpr int BOX_PIECE = 16;             /* bytes */
constexpr int32_t BOX_FAR_SIZE = 1 << 27; /* up to which places and strides have 32 bits */

/* Along one axis. Cells are of `size` places; those of squares' ends begin a radius after a
 * multiple of it. A square is `back` cells long, less the first `cut` places of the first. */
struct BoxAxis {
    int32_t size, count; /* cells of results */
    int32_t back, cut;
};

/* How the work is shared out. Rows are read in pieces of 16 bytes. Of those that are not inside the
 * picture there are copies; where all pixels beyond are alike (if `repeats`), of three on each
 * side, which come again and again as 48 bytes hold whole pixels, and of one band of rows above and
 * below. */
struct BoxFarPlan {
    BoxAxis across, down; /* strips; bands */
    bool repeats;
    int32_t first_band, kept_bands; /* of those whose sums are kept, which begin before the first */
    int32_t right_first;            /* piece that is not inside */
    int32_t right_slots, left_slots; /* pieces that are kept on each side */
    int32_t samples;                 /* of a row of all cells */
    uint32_t side_stride;            /* bytes */
    size_t parts_bytes;              /* of each of two kinds of sums */
    size_t parts_at, starts_at, rows_at, prefixes_at, bases_at, lines_at,
        bytes; /* in the workspace */
};

struct BoxFarTask {
    ImgBox box;
    ImgView src, dst;
    double inverse; /* of the area */
    BoxFarPlan plan;
    uint8_t *sides; /* pieces that are not inside the picture, row by row, those at the right first;
                     * below the picture the background */
    uint8_t *parts; /* of each band's columns: the sums of all rows; then those of the first
                     * `down.cut` */
    uint32_t *starts; /* of each column: sums of the rows that the square before a band has */
    uint32_t *rows;   /* of each row of a cell across: the sum; of the first `across.cut` columns */
    void *prefixes;   /* of sums of a row of squares, downwards */
    void *bases;      /* the sum of the square before each row of a strip, and half the area; for
                       * `box_base_places` channels */
    int32_t *lines; /* the rows that stand at -radius - 1 and further down: see img_border_place */
};

/* How samples are held by a lane. Sums of squares of 16-bit samples are kept as bits of a double of
 * the same value and BOX_DOUBLE, which is 2^52: they are below that. */
template <typename Sample_, int CHANNELS_> struct BoxGroup {
    typedef Sample_ Sample;
    static constexpr int CHANNELS = CHANNELS_, SIZE = (int)sizeof(Sample);
    static constexpr int PIXELS = CHANNELS == 3 ? 8 : 16, PIXEL = CHANNELS * SIZE;
    static constexpr int SAMPLES = PIXELS * CHANNELS, WORDS = SAMPLES * SIZE / 4;
    static constexpr int PER_WORD = 4 / SIZE, BYTES = WORDS * 4;
    static constexpr int STRIP = BOX_LANES * PIXELS;
};

/* `run` with the group of a picture. */
template <typename Run> ImgStatus with_box_group(ImgFormat format, Run run)
{
    const bool is_color = img_format_channels(format) == 3;
    if (format.bits == 16)
        return is_color ? run(BoxGroup<uint16_t, 3>()) : run(BoxGroup<uint16_t, 1>());
    return is_color ? run(BoxGroup<uint8_t, 3>()) : run(BoxGroup<uint8_t, 1>());
}

/* Sums of columns of a band, and sums of squares. */
template <typename Sample> struct BoxSums {
    typedef uint32_t Part;
    typedef uint64_t Total;
};
template <> struct BoxSums<uint8_t> {
    typedef uint16_t Part;
    typedef uint32_t Total;
};
constexpr uint64_t BOX_DOUBLE = 0x4330000000000000;

/* So that those of three channels are loaded together. */
IMG_HOST_DEVICE constexpr int box_base_places(int channels)
{
    return channels == 3 ? 4 : channels;
}

/* The column where a group begins at the right end of squares, and before their left end. */
IMG_HOST_DEVICE int32_t box_right_column(int32_t group, int pixels, int32_t radius)
{
    return group * pixels + radius;
}
IMG_HOST_DEVICE int32_t box_left_column(int32_t group, int pixels, int32_t radius)
{
    return group * pixels - radius - 1;
}

/* The remainder, from 0 to by - 1. */
IMG_HOST_DEVICE int32_t box_rest(int32_t number, int32_t by)
{
    const int32_t rest = number % by;
    return rest < 0 ? rest + by : rest;
}

/* The piece that byte `at` of a row lies in. */
IMG_HOST_DEVICE int32_t box_piece_of(int32_t at)
{
    return (at - box_rest(at, BOX_PIECE)) / BOX_PIECE;
}

/* Where in a row of `sides` a piece is; -1: in the picture. */
IMG_HOST_DEVICE int32_t box_slot_of(const BoxFarPlan *plan, int32_t piece)
{
    if (piece < 0)
        return plan->right_slots + (plan->repeats ? (-1 - piece) % 3 : -1 - piece);
    const int32_t beyond = piece - plan->right_first;
    return beyond > 0 && plan->repeats ? 1 + (beyond - 1) % 3 : beyond < 0 ? -1 : beyond;
}

/* As img_border_place, of pictures and radii that are far from 2^31: in 32 bits. */
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

/* The radius from which on this takes less time. The near box cannot do more than 127. */
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
