/* Private to the fast box on CUDA: means of smaller squares, with radii below box_far_from;
 * division of the work and layout of the workspace.
 *
 * A strip of columns has a margin on both sides, for the columns that its windows reach. Columns
 * beyond the picture are copied to the workspace, so that threads read all columns in the same way.
 * Where windows are high, the workspace also has the column sums at the start of each band of rows.
 * They are made of sums of the rows of bands, so each row is read once. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_BOX_BOX_PLAN_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_BOX_BOX_PLAN_CUH

#include "kernels/blur/box.h"

/* Returns the number of columns per thread. */
IMG_HOST_DEVICE constexpr int box_pixels(int channels)
{
    return channels == 3 ? 8 : 16;
}

struct BoxPlan {
    int32_t margin;          /* columns before and after a strip's results */
    int32_t team, threads;   /* threads that process a strip together; threads per block */
    int32_t columns, strips; /* columns of results per strip */
    int32_t rows, bands;     /* rows of results per band */
    int32_t inside, right;   /* columns of whole groups inside the picture; columns after those */
    int32_t groups;          /* groups of a thread's columns, over all strips with both margins */
    int32_t reach, rest;     /* the radius as whole bands and remaining rows */
    bool starts_first;       /* bands begin with sums that were computed before */
    size_t side_stride;      /* bytes */
    size_t parts_bytes;      /* of each of three kinds of sums */
    size_t sides_at, parts_at, starts_at, bytes; /* offsets in the workspace, and its size */
};

struct BoxTask {
    ImgBox box;
    ImgView src, dst;
    uint32_t quotients; /* byte selector that packs four quotients: see pack_four */
    BoxPlan plan;
    uint8_t *sides;      /* rows of the columns beyond the picture, those on the left first */
    uint8_t *background; /* the background in a thread's pixels */
    /* for each band, including those beyond the picture that windows reach: sums of its first
     * `rest` rows, of its last `rest` rows, and of all rows */
    uint8_t *parts;
    uint32_t *starts;
};

ImgStatus plan_box(const ImgBox &box, ImgShape shape, BoxPlan &plan, ImgError *err);

/* Fills the workspace. */
ImgStatus box_start(const BoxTask &task, void *stream, ImgError *err);

ImgStatus near_box_means(const BoxTask &task, void *stream, ImgError *err);

#endif
