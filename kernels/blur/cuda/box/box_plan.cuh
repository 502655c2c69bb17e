/* Private to the fast box on CUDA: means of smaller squares, of radii below box_far_from; how the
 * work is shared out, and what lies in the workspace.
 *
 * A strip of columns has a margin on both sides, of the columns that its windows look at. What of
 * those is beyond the picture lies in the workspace, so that threads read all columns alike. Where
 * windows are high, so do the sums of columns that each band of rows begins with: they are made of
 * sums of the bands' own rows, each of which is read once. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_BOX_BOX_PLAN_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_BOX_BOX_PLAN_CUH

#include "kernels/blur/box.h"

/* Columns of a thread. */
IMG_HOST_DEVICE constexpr int box_pixels(int channels)
{
    return channels == 3 ? 8 : 16;
}

struct BoxPlan {
    int32_t margin;          /* columns before and after a strip's results */
    int32_t team, threads;   /* threads that go down a strip together; of a block */
    int32_t columns, strips; /* of a strip's results */
    int32_t rows, bands;     /* of a band's results */
    int32_t inside, right;   /* columns of whole groups inside the picture; after those */
    int32_t groups;          /* of columns of a thread: those of all strips with both margins */
    int32_t reach, rest;     /* the radius: so many bands, and so many rows */
    bool starts_first;       /* whether bands begin with sums that were made before */
    size_t side_stride;      /* bytes */
    size_t parts_bytes;      /* of each of three kinds of sums */
    size_t sides_at, parts_at, starts_at, bytes; /* in the workspace */
};

struct BoxTask {
    ImgBox box;
    ImgView src, dst;
    uint32_t quotients; /* how four quotients of bytes are put together: see pack_four */
    BoxPlan plan;
    uint8_t *sides;      /* rows of columns beyond the picture, those before it first */
    uint8_t *background; /* a thread's pixels of it */
    uint8_t *parts;      /* of each band, also of those beyond the picture that windows reach: the
                          * sums of its first `rest` rows, of its last, of all */
    uint32_t *starts;
};

ImgStatus plan_box(const ImgBox &box, ImgShape shape, BoxPlan &plan, ImgError *err);

/* Fills the workspace. */
ImgStatus box_start(const BoxTask &task, void *stream, ImgError *err);

ImgStatus near_box_means(const BoxTask &task, void *stream, ImgError *err);

#endif
