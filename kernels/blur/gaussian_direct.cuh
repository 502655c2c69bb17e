/* Private to the fast Gaussian on CUDA: a picture blurred at its own size. */
#ifndef IMGTOOL_KERNELS_BLUR_GAUSSIAN_DIRECT_CUH
#define IMGTOOL_KERNELS_BLUR_GAUSSIAN_DIRECT_CUH

#include "kernels/blur/gaussian.h"
#include "kernels/blur/gaussian_tiles.cuh"

/* Samples without alpha, not lifted; `dst` has the source's size. */
struct DirectTask {
    TileSource src;
    uint8_t *dst;
    size_t dst_stride;
    int32_t radius; /* 1 to 16 */
    int16_t weights[2 * IMG_GAUSSIAN_RADIUS + 2];
    ImgUnsharp mask;
    bool sharpens;
    uint32_t strips, steps; /* set by the launch */
};

ImgStatus gaussian_direct(DirectTask task, int bytes_per_sample, int channels, void *stream,
                          ImgError *err);

/* The source of a call whose format has no alpha. */
TileSource gaussian_source(const ImgView &view, const ImgGaussian &gaussian);

#endif
