/* Private to the fast Gaussian on CUDA: a picture blurred at its own size, or made smaller,
 * blurred, and enlarged again.
 *
 * The latter by three kernels where the factor is 2 or 4: along both axes at once; the small
 * picture blurred; it enlarged along both axes. Where it is more, the first is two: sums downwards
 * of the source, and across of those. What lies between kernels are samples of 16 bits: those of
 * pictures of 8 bits lifted, others as they are. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_GAUSSIAN_GAUSSIAN_PYRAMID_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_GAUSSIAN_GAUSSIAN_PYRAMID_CUH

#include "kernels/blur/cuda/gaussian/gaussian_rows.cuh"
#include "kernels/blur/cuda/gaussian/gaussian_tiles.cuh"

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

/* Of the small picture in memory, the first row is number -margin and the first column number
 * -left; column -2, the first that is needed for enlarging, is aligned to 16 bytes. */
struct SmallPicture {
    int32_t factor, margin, left, columns, rows, channels;
    size_t stride;       /* bytes */
    size_t lower_stride; /* of the source's sums downwards; 0 where there are none */
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
