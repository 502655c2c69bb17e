/* Private to the fast Gaussian on CUDA: the picture made smaller, and enlarged again.
 *
 * Four kernels: sums downwards of the source; sums across of those; a small picture blurred
 * (gaussian_direct.cuh); it enlarged along both axes at once. What lies between them are samples of
 * 16 bits: those of pictures of 8 bits lifted, others as they are. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_GAUSSIAN_PYRAMID_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_GAUSSIAN_PYRAMID_CUH

#include "kernels/blur/cuda/gaussian_direct.cuh"

/* Of the small picture in memory, the first row is number -margin and the first column number
 * -left; column -2, the first that is needed for enlarging, is aligned to 16 bytes. */
struct SmallPicture {
    int32_t factor, margin, left, columns, rows, channels;
    size_t stride, lower_stride; /* bytes; of the source's sums downwards too */
};

SmallPicture small_picture(const ImgGaussian &gaussian, ImgShape shape);

/* Makes `small` of `src` where the factor is 2 or 4; `end` is on the device. */
ImgStatus gaussian_reduce(const TileSource &src, bool wide, const ImgBlurEnd *end,
                          const SmallPicture &picture, uint8_t *small, void *stream, ImgError *err);

/* Where it is more, by way of `lower`. */
ImgStatus gaussian_shrink(const TileSource &src, bool wide, const ImgBlurEnd *end,
                          const SmallPicture &picture, uint8_t *lower, uint8_t *small, void *stream,
                          ImgError *err);
/* Its second half: `small` of `lower`. */
ImgStatus gaussian_shrink_across(const TileSource &src, bool wide, const ImgBlurEnd *end,
                                 const SmallPicture &picture, const uint8_t *lower, uint8_t *small,
                                 void *stream, ImgError *err);

struct EnlargeTask {
    TileSource src; /* the picture, for its mask */
    PictureRows dst;
    TileSource small; /* blurred */
    SmallPicture picture;
    const ImgBlurEnd *end; /* on the device */
    ImgUnsharp mask;
    bool sharpens;
    uint32_t strips, steps; /* set by the launch */
};

ImgStatus gaussian_enlarge(EnlargeTask task, bool wide, void *stream, ImgError *err);

#endif
