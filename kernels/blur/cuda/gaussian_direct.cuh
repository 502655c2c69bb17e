/* Private to the fast Gaussian on CUDA: a picture blurred at its own size. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_GAUSSIAN_DIRECT_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_GAUSSIAN_DIRECT_CUH

#include "kernels/blur/cuda/gaussian_rows.cuh"
#include "kernels/blur/cuda/gaussian_tiles.cuh"

/* Samples without alpha, not lifted; `dst` has the source's size. */
struct DirectTask {
    TileSource src;
    PictureRows dst;
    int32_t radius; /* 1 to 16 */
    int16_t weights[2 * IMG_GAUSSIAN_RADIUS + 2];
    ImgUnsharp mask;
    bool sharpens;
    uint32_t strips; /* set by the launch */
};

ImgStatus gaussian_direct(DirectTask task, int bytes_per_sample, int channels, void *stream,
                          ImgError *err);

#endif
