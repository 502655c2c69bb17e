/* Private to the fast boxblur on CUDA: division of the work and layout of the workspace for small
 * squares, with radii below box_far_from.
 *
 * A strip of columns has a margin on each side, for the columns that its squares reach. Columns
 * beyond the picture are copied to the workspace, so that threads read all columns in the same way.
 * If squares are high, the workspace also has the column sums at the start of each band of rows.
 * These are computed from sums over the rows of each band, so that each row is read only once. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_BOX_PLAN_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_BOX_PLAN_CUH

#include "kernels/blur/box.h"

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

#endif
