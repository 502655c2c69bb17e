/* Private to the fast Gaussian on CUDA: its kernels. A picture is either blurred at its own size,
 * or it is reduced, blurred and enlarged again.
 *
 * For a factor of 2 or 4 there are three kernels: the first reduces the picture along both axes,
 * the second blurs the reduced picture, the third enlarges it along both axes. For larger factors
 * two kernels reduce: one computes vertical sums of the source, the other computes horizontal sums
 * of these. Samples between kernels have 16 bits. Samples of 8-bit pictures are lifted, which
 * multiplies them by 64 (window/lift.h); 16-bit samples are not. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_GAUSSIAN_PYRAMID_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_GAUSSIAN_PYRAMID_CUH

#include "kernels/blur/cuda/gaussian_rows.cuh"
#include "kernels/blur/cuda/gaussian_tiles.cuh"

/* Parameters for a blur at the picture's own size. Samples have no alpha and are used as they are,
 * without lifting (window/lift.h). `dst` must have the size of the source. */
struct DirectTask {
    TileSource src;
    PictureRows dst;
    int32_t radius; /* radius of the blur in pixels, 1 to IMG_GAUSSIAN_RADIUS */
    int16_t weights[2 * IMG_GAUSSIAN_RADIUS + 2];
    ImgUnsharp mask;
    bool sharpens;
    uint32_t strips; /* number of strips of columns; set by the launch */
};

ImgStatus gaussian_direct(DirectTask task, int bytes_per_sample, int channels, void *stream,
                          ImgError *err);

/* The reduced picture in memory. Its first row has the index -margin, its first column the index
 * -left. Column -2, the first one that enlarging needs, is aligned to 16 bytes. */
struct SmallPicture {
    int32_t factor, margin, left, columns, rows, channels;
    size_t stride; /* distance between rows, in bytes */
    /* distance between rows of the vertical sums of the source, in bytes; 0 if no such sums are
     * stored */
    size_t lower_stride;
};

SmallPicture small_picture(const ImgGaussian &gaussian, ImgShape shape);

/* Computes the reduced picture `small` from `src`, for a factor of 2 or 4. `wide` is true for
 * 16-bit samples. `end` must be in device memory. */
ImgStatus gaussian_reduce(const TileSource &src, bool wide, const ImgBlurEnd *end,
                          const SmallPicture &picture, uint8_t *small, void *stream, ImgError *err);

/* Computes the reduced picture `small` from `src`, for factors of 8 and more. It stores the
 * vertical sums of `src` in `lower`. */
ImgStatus gaussian_shrink(const TileSource &src, bool wide, const ImgBlurEnd *end,
                          const SmallPicture &picture, uint8_t *lower, uint8_t *small, void *stream,
                          ImgError *err);
/* Second half of gaussian_shrink: computes `small` by horizontal sums of `lower`. */
ImgStatus gaussian_shrink_across(const TileSource &src, bool wide, const ImgBlurEnd *end,
                                 const SmallPicture &picture, const uint8_t *lower, uint8_t *small,
                                 void *stream, ImgError *err);

struct EnlargeTask {
    TileSource src; /* the picture before the blur, for sharpening */
    PictureRows dst;
    TileSource small; /* the reduced picture after the blur */
    SmallPicture picture;
    const ImgBlurEnd *end; /* weights and unsharp mask, in device memory */
    ImgUnsharp mask;
    bool sharpens;
    /* number of strips of columns; number of iterations of the loop of each block; the function
     * that launches the kernel sets both */
    uint32_t strips, steps;
};

ImgStatus gaussian_enlarge(EnlargeTask task, bool wide, void *stream, ImgError *err);

#endif
