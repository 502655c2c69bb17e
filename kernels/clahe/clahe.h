/* Private to clahe: contrast limited adaptive histogram equalisation.
 *
 * The picture is divided into tiles. Each tile counts its pixels in bins. Counts above the clip
 * limit are cut off, and the excess is spread evenly over all bins. The running sums of the bins
 * are the tile's table of new values. The new value of a pixel is interpolated between the tables
 * of the four tiles around it, by the distance to their centres. Sources: K. Zuiderveld, "Contrast
 * Limited Adaptive Histogram Equalization", Graphics Gems IV (1994), for the tiles, the limit and
 * bins coarser than samples; OpenCV's documentation of createCLAHE for the unit of the limit, the
 * average height of a bin.
 *
 * Tile borders are at round(i * size / tiles), so the sizes of tiles differ by one pixel at most
 * and no tile is padded. Pixels beyond the centres of the outer tiles use only the tables of these
 * tiles. Samples of 16 bits are counted in 256 bins, with linear interpolation within a bin. The
 * limit is a multiple of the average count of a bin, so with more bins it would not have the same
 * effect as at 8 bits. If a picture had only few of the 65,536 values, the limit would cut off
 * nearly all counts, and the tables would change almost nothing. Weights are multiples of 2^-12, or
 * 2^-16 at 16 bits. The four products are summed exactly and rounded once. */
#ifndef IMGTOOL_KERNELS_CLAHE_CLAHE_H
#define IMGTOOL_KERNELS_CLAHE_CLAHE_H

#include "kernels/core/color/luma.h"
#include "kernels/core/cuda/host_device.h"
#include "kernels/core/op.h"
#include "kernels/core/prepass/prepass.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IMG_CLAHE_TILES_MAX = 32, IMG_CLAHE_BIN_BITS_MAX = 8 };

typedef struct ImgClaheParams {
    int32_t clip_limit; /* clip limit, in thousandths of the average count of a bin; 0: no limit */
    int32_t tiles;      /* number of tiles along each axis */
    int32_t luma;       /* ImgLuma value: the formula that computes luma from RGB */
} ImgClaheParams;

extern const ImgOp img_op_clahe;

typedef struct ImgClahePlan {
    int32_t width, height;
    /* number of tiles along each axis; each tile has at least one pixel */
    int32_t across, down;
    int32_t bits, bin_bits; /* number of bits per sample, and number of bits of a bin's index */
    /* bits - bin_bits: number of low bits of a sample, its position within a bin */
    int32_t fine_bits;
    int32_t weight_bits;      /* weights of interpolation run from 0 to 2^weight_bits */
    int32_t colors, channels; /* number of channels without alpha, and including alpha */
    int32_t clip_limit;
    ImgLumaWeights weights;
} ImgClahePlan;

ImgClahePlan img_clahe_plan(const ImgCall *call);

/* Returns the first column (or row) of tile `i`. `size` is the picture's width (or height). For `i`
 * == `tiles` it returns `size`. */
IMG_HOST_DEVICE int32_t img_clahe_border(int32_t i, int32_t size, int32_t tiles)
{
    return (int32_t)(((int64_t)i * size + tiles / 2) / tiles);
}

/* Interpolation between two tiles along one axis. A pixel lies between the centres of the tiles
 * `first` and `second`, and `weight` is the weight of `second`. */
typedef struct ImgBetween {
    int32_t first, second;
    uint32_t weight;
} ImgBetween;

/* Returns twice the coordinate of the centre of tile `i` along one axis. It is doubled because a
 * centre may lie between two pixels. */
IMG_HOST_DEVICE int64_t img_clahe_centre(int32_t i, int32_t size, int32_t tiles)
{
    return (int64_t)img_clahe_border(i, size, tiles) + img_clahe_border(i + 1, size, tiles) - 1;
}

IMG_HOST_DEVICE ImgBetween img_clahe_between(int32_t at, int32_t size, int32_t tiles,
                                             int32_t weight_bits)
{
    int32_t tile = (int32_t)((int64_t)at * tiles / size);
    while (tile + 1 < tiles && img_clahe_border(tile + 1, size, tiles) <= at)
        tile++;
    while (img_clahe_border(tile, size, tiles) > at)
        tile--;
    int32_t first = 2 * (int64_t)at < img_clahe_centre(tile, size, tiles) ? tile - 1 : tile;
    ImgBetween between = {first, first + 1, 0};
    if (first < 0 || first + 1 >= tiles) {
        between.first = between.second = tile;
        return between;
    }
    int64_t from = img_clahe_centre(first, size, tiles);
    int64_t distance = img_clahe_centre(first + 1, size, tiles) - from;
    between.weight =
        (uint32_t)((((2 * (int64_t)at - from) << weight_bits) + distance / 2) / distance);
    return between;
}

/* Numbers that describe how the counts of a tile are clipped, and how the excess is spread over the
 * bins. */
typedef struct ImgClaheSpread {
    /* `limit` is the largest count that a bin keeps. Each bin gets `each` more counts, and `rest`
     * of the bins get one further count. */
    uint32_t limit, each, rest;
    int32_t bin_bits;
} ImgClaheSpread;

/* Returns the clip limit for a tile with `total` counted pixels. It is at least 1, and at most
 * `total`. */
IMG_HOST_DEVICE uint32_t img_clahe_limit(const ImgClahePlan *plan, uint32_t total)
{
    if (plan->clip_limit == 0)
        return total;
    uint64_t limit = ((uint64_t)total * (uint32_t)plan->clip_limit / 1000) >> plan->bin_bits;
    return limit < 1 ? 1 : limit > total ? total : (uint32_t)limit;
}

IMG_HOST_DEVICE ImgClaheSpread img_clahe_spread(const ImgClahePlan *plan, uint32_t limit,
                                                uint32_t excess)
{
    const uint32_t bins = 1U << plan->bin_bits;
    ImgClaheSpread spread = {limit, excess >> plan->bin_bits, excess & (bins - 1), plan->bin_bits};
    return spread;
}

/* Returns the sum, rounded down, of the parts of the excess that the first `bins` bins receive. */
IMG_HOST_DEVICE uint32_t img_clahe_spread_over(ImgClaheSpread spread, uint32_t bins)
{
    return bins * spread.each + (bins * spread.rest >> spread.bin_bits);
}

/* Returns the count of the bin with index `bin` after clipping and spreading. `count` is the number
 * of pixels counted in the bin. */
IMG_HOST_DEVICE uint32_t img_clahe_spread_count(ImgClaheSpread spread, uint32_t bin, uint32_t count)
{
    return (count < spread.limit ? count : spread.limit) + img_clahe_spread_over(spread, bin + 1) -
           img_clahe_spread_over(spread, bin);
}

/* Returns the table entry of a bin: round(below * maximum / total). `total` is the number of
 * counted pixels of the tile, and `below` the number of these in bins up to and including this one.
 * The table of a tile without counted pixels is the identity. */
IMG_HOST_DEVICE uint16_t img_clahe_entry(const ImgClahePlan *plan, uint32_t bin, uint32_t below,
                                         uint32_t total)
{
    if (total == 0)
        return (uint16_t)(((bin + 1) << plan->fine_bits) - 1);
    uint32_t maximum = (1U << plan->bits) - 1;
    return (uint16_t)(((uint64_t)below * maximum + total / 2) / total);
}

/* Returns 2^fine_bits times the new value that the table gives for `value`. It is interpolated
 * within the bin of `value`. */
IMG_HOST_DEVICE uint32_t img_clahe_value(const uint16_t *table, uint32_t value, int32_t fine_bits)
{
    uint32_t bin = value >> fine_bits, high = table[bin];
    if (fine_bits == 0)
        return high;
    uint32_t low = bin > 0 ? table[bin - 1] : 0;
    uint32_t into = (value & ((1U << fine_bits) - 1)) + 1;
    return (low << fine_bits) + (high - low) * into;
}

/* Returns the new value of a sample `value`, interpolated between the tables of four tiles.
 * `tables` has the tables of all tiles, row by row. */
IMG_HOST_DEVICE uint32_t img_clahe_blended(const ImgClahePlan *plan, const uint16_t *tables,
                                           ImgBetween x, ImgBetween y, uint32_t value)
{
    int32_t fine = plan->fine_bits, shift = 2 * plan->weight_bits + fine;
    const uint16_t *upper = tables + ((size_t)(y.first * plan->across) << plan->bin_bits);
    const uint16_t *lower = tables + ((size_t)(y.second * plan->across) << plan->bin_bits);
    size_t left = (size_t)x.first << plan->bin_bits, right = (size_t)x.second << plan->bin_bits;
    uint64_t whole = (uint64_t)1 << plan->weight_bits;
    uint64_t above = img_clahe_value(upper + left, value, fine) * (whole - x.weight) +
                     (uint64_t)img_clahe_value(upper + right, value, fine) * x.weight;
    uint64_t below = img_clahe_value(lower + left, value, fine) * (whole - x.weight) +
                     (uint64_t)img_clahe_value(lower + right, value, fine) * x.weight;
    uint64_t sum = above * (whole - y.weight) + below * y.weight;
    return (uint32_t)((sum + ((uint64_t)1 << (shift - 1))) >> shift);
}

/* Computes the table of a tile from `counts`, its 2^bin_bits counts of pixels per bin. This is a
 * function for the CPU. */
void img_clahe_table(const ImgClahePlan *plan, const uint32_t *counts, uint16_t *table);

/* The implementations of clahe, as functions of type ImgRunFunction. */
ImgStatus img_clahe_reference(const ImgCall *call, ImgError *err);
/* Implements ImgOp.cost.scratch: returns the bytes of scratch memory on the CPU. */
uint64_t img_clahe_scratch(ImgShape src, const void *params, int threads);

/* If the call has constants (ImgTwoPasses), they contain the tables, and the source may be only
 * some rows of the picture. Otherwise the tables are computed from the source. */
ImgStatus img_clahe_cpu(const ImgCall *call, ImgError *err);

/* Two passes over the source, for img_clahe_cpu. img_clahe_part_constants implements
 * ImgOp.bands.part_constants. */
extern const ImgTwoPasses img_clahe_two_passes;
ImgStatus img_clahe_part_constants(ImgShape src, const ImgPart *part, const ImgConstants *whole,
                                   ImgConstants *constants, ImgError *err);

/* The constants of the whole picture, or of some of its rows. */
typedef struct ImgClaheMeasured {
    int32_t height;     /* height of the whole picture */
    int32_t first;      /* index of the first row in the whole picture */
    int32_t first_tile; /* index of the first row of tiles in `tables` */
    int32_t row_tables; /* number of entries in the tables of one row of tiles */
    uint16_t tables[];  /* tables of rows of tiles, one after another */
} ImgClaheMeasured;

/* Counts pixels `from` to `to` - 1 of a row in 2^bin_bits bins. Fully transparent pixels do not
 * count. */
void img_clahe_count_row(const ImgClahePlan *plan, const void *row, int32_t from, int32_t to,
                         uint32_t *counts);
ImgStatus img_clahe_cuda_tiled(const ImgCall *call, ImgError *err);
size_t img_clahe_cuda_workspace(const ImgOp *op, ImgShape src, const void *params);
ImgStatus img_clahe_cuda_fast(const ImgCall *call, ImgError *err);
bool img_clahe_cuda_fast_applies(const ImgOp *op, ImgShape src, const void *params);
size_t img_clahe_cuda_fast_workspace(const ImgOp *op, ImgShape src, const void *params);

/* --- The division of a picture for cuda-fast -------------------------------------------------- */

/* Each block of threads processes one piece. */

/* Number of threads per block: in the kernels that count and that compute tables, and in the kernel
 * that computes pixels. */
enum { CLAHE_THREADS = 512, CLAHE_PATCH_THREADS = 256 };
/* Largest number of pixel rows and of pixel columns per block in the kernel that computes
 * pixels. */
enum { CLAHE_ROWS_MAX = 256, CLAHE_COLUMNS_MAX = 1088 };
/* Number of blocks that run at the same time: two for each multiprocessor of a large GPU, which has
 * 132. */
enum { CLAHE_BLOCKS = 264 };

/* Number of pieces along each axis: `chunks` across and `strips` down. */
typedef struct ClaheCut {
    int32_t chunks, strips;
} ClaheCut;

typedef struct ClaheCuts {
    ClaheCut tile; /* how each tile is divided for counting */
    /* Division for computing new pixels; its pieces are called patches. If `cells` is true, patches
     * are parts of cells, the areas between the centres of four tiles. Otherwise patches are parts
     * of quarters of tiles. */
    ClaheCut patch;
    bool cells;
} ClaheCuts;

/* Returns the number of cells, or of halves of tiles, along an axis with `tiles` tiles. The
 * division `patch` divides each of them into patches. */
IMG_HOST_DEVICE int32_t clahe_patches(const ClaheCuts *cuts, int32_t tiles)
{
    return cuts->cells ? tiles + 1 : 2 * tiles;
}

/* Returns the number of pixels per unit. A unit has 16 bytes, or 48 with three samples per
 * pixel. */
int32_t img_clahe_unit_pixels(ImgFormat format);

ClaheCuts img_clahe_cuts(const ImgClahePlan *plan, int32_t unit_pixels);

#ifdef __cplusplus
}
#endif
#endif
