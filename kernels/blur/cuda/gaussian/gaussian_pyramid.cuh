/* Private to the fast Gaussian on CUDA: a picture is blurred at its own size, or it is reduced,
 * blurred, and enlarged again.
 *
 * With a factor of 2 or 4 there are three kernels: reduce along both axes at once; blur the reduced
 * picture; enlarge along both axes. With larger factors the first is split into vertical sums of
 * the source, and horizontal sums of those. Samples between kernels have 16 bits: from pictures of
 * 8 bits they are lifted, otherwise as they are. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_GAUSSIAN_GAUSSIAN_PYRAMID_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_GAUSSIAN_GAUSSIAN_PYRAMID_CUH

#include "kernels/blur/cuda/gaussian/gaussian_rows.cuh"
#include "kernels/blur/cuda/gaussian/gaussian_tiles.cuh"

/* Samples without alpha, not lifted; `dst` has the size of the source. */
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

/* The reduced picture in memory. Its first row is number -margin, its first column number -left.
 * Column -2, the first that enlarging needs, is aligned to 16 bytes. */
struct SmallPicture {
    int32_t factor, margin, left, columns, rows, channels;
    size_t stride;       /* bytes */
    size_t lower_stride; /* of the vertical sums of the source; 0 if there are none */
};

SmallPicture small_picture(const ImgGaussian &gaussian, ImgShape shape);

/* Makes `small` from `src` for factors 2 and 4; `end` is on the device. */
ImgStatus gaussian_reduce(const TileSource &src, bool wide, const ImgBlurEnd *end,
                          const SmallPicture &picture, uint8_t *small, void *stream, ImgError *err);

/* Makes `small` from `src` for larger factors, with `lower` as intermediate. */
ImgStatus gaussian_shrink(const TileSource &src, bool wide, const ImgBlurEnd *end,
                          const SmallPicture &picture, uint8_t *lower, uint8_t *small, void *stream,
                          ImgError *err);
/* The second half of gaussian_shrink: makes `small` from `lower`. */
ImgStatus gaussian_shrink_across(const TileSource &src, bool wide, const ImgBlurEnd *end,
                                 const SmallPicture &picture, const uint8_t *lower, uint8_t *small,
                                 void *stream, ImgError *err);

struct EnlargeTask {
    TileSource src; /* the picture, for the mask */
    PictureRows dst;
    TileSource small; /* the blurred reduced picture */
    SmallPicture picture;
    const ImgBlurEnd *end; /* on the device */
    ImgUnsharp mask;
    bool sharpens;
    uint32_t strips, steps; /* set by the launch */
};

ImgStatus gaussian_enlarge(EnlargeTask task, bool wide, void *stream, ImgError *err);

#endif
