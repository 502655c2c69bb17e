/* Private to the fast box on CUDA: means of smaller squares, with radii below box_far_from. This
 * file has the division of the work and the layout of the workspace.
 *
 * A strip of columns has a margin on each side, for the columns that its squares reach. Columns
 * beyond the picture are copied to the workspace, so that threads read all columns in the same way.
 * If squares are high, the workspace also has the column sums at the start of each band of rows.
 * These are computed from sums of the rows of bands, so that each row is read once. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_BOX_BOX_PLAN_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_BOX_BOX_PLAN_CUH

#include "kernels/blur/box.h"

/* Returns the number of columns per thread. */
IMG_HOST_DEVICE constexpr int box_pixels(int channels)
{
    return channels == 3 ? 8 : 16;
}

struct BoxPlan {
    int32_t margin;          /* columns before and after the results of a strip */
    int32_t team, threads;   /* threads that process a strip together; threads per block */
    int32_t columns, strips; /* columns of results per strip; number of strips */
    int32_t rows, bands;     /* rows of results per band; number of bands */
    /* columns of all groups that are completely inside the picture; columns after these */
    int32_t inside, right;
    /* number of groups (a group is the columns of a thread) in a strip of the whole width with both
     * margins */
    int32_t groups;
    int32_t reach, rest; /* the radius, in whole bands and remaining rows */
    bool starts_first;   /* bands begin with sums that a separate kernel has computed */
    size_t side_stride;  /* distance of rows in `sides`, in bytes */
    size_t parts_bytes;  /* size of each of the three kinds of sums in `parts`, in bytes */
    /* offsets in the workspace, and its size, in bytes */
    size_t sides_at, parts_at, starts_at, bytes;
};

struct BoxTask {
    ImgBox box;
    ImgView src, dst;
    uint32_t quotients; /* byte selector that packs four quotients (pack_four) */
    BoxPlan plan;
    uint8_t *sides;      /* columns beyond the picture, row by row, first those on the left */
    uint8_t *background; /* the pixels of a thread in a row of the background */
    /* For each band, including those beyond the picture that squares reach: the sums of its first
     * `rest` rows, of its last `rest` rows, and of all its rows. */
    uint8_t *parts;
    uint32_t *starts;
};

ImgStatus plan_box(const ImgBox &box, ImgShape shape, BoxPlan &plan, ImgError *err);

/* Launches the kernels that fill the workspace. */
ImgStatus box_start(const BoxTask &task, void *stream, ImgError *err);

ImgStatus near_box_means(const BoxTask &task, void *stream, ImgError *err);

#endif
