/* Private to the fast Gaussian on CUDA. A picture is either blurred at its own size, or it is
 * reduced, blurred and enlarged again.
 *
 * For a factor of 2 or 4 there are three kernels: reduce along both axes at once; blur the reduced
 * picture; enlarge along both axes. For larger factors the first of these is replaced by two:
 * vertical sums of the source, then horizontal sums of these. Samples between kernels have 16 bits.
 * Those of 8-bit pictures are lifted (core/window/lift.h), others are not. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_GAUSSIAN_GAUSSIAN_PYRAMID_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_GAUSSIAN_GAUSSIAN_PYRAMID_CUH

#include "kernels/blur/cuda/gaussian/gaussian_rows.cuh"
#include "kernels/blur/cuda/gaussian/gaussian_tiles.cuh"

/* Parameters for blurring at the picture's own size. Samples have no alpha and are not lifted.
 * `dst` has the size of the source. */
struct DirectTask {
    TileSource src;
    PictureRows dst;
    int32_t radius; /* 1 to 16 */
    int16_t weights[2 * IMG_GAUSSIAN_RADIUS + 2];
    ImgUnsharp mask;
    bool sharpens;
    uint32_t strips; /* number of strips; the launch sets it */
};

ImgStatus gaussian_direct(DirectTask task, int bytes_per_sample, int channels, void *stream,
                          ImgError *err);

/* The reduced picture in memory. Its first row has number -margin, its first column number -left.
 * Column -2, the first one that enlarging needs, is aligned to 16 bytes. */
struct SmallPicture {
    int32_t factor, margin, left, columns, rows, channels;
    size_t stride; /* distance of rows, in bytes */
    /* distance of rows of the vertical sums of the source, in bytes; 0 if they are not stored */
    size_t lower_stride;
};

SmallPicture small_picture(const ImgGaussian &gaussian, ImgShape shape);

/* Computes the reduced picture `small` from `src` for a factor of 2 or 4. `end` is in device
 * memory. */
ImgStatus gaussian_reduce(const TileSource &src, bool wide, const ImgBlurEnd *end,
                          const SmallPicture &picture, uint8_t *small, void *stream, ImgError *err);

/* Computes the reduced picture `small` from `src` for larger factors; `lower` receives the vertical
 * sums. */
ImgStatus gaussian_shrink(const TileSource &src, bool wide, const ImgBlurEnd *end,
                          const SmallPicture &picture, uint8_t *lower, uint8_t *small, void *stream,
                          ImgError *err);
/* Second half of gaussian_shrink: computes `small` from `lower`. */
ImgStatus gaussian_shrink_across(const TileSource &src, bool wide, const ImgBlurEnd *end,
                                 const SmallPicture &picture, const uint8_t *lower, uint8_t *small,
                                 void *stream, ImgError *err);

struct EnlargeTask {
    TileSource src; /* the picture, for sharpening */
    PictureRows dst;
    TileSource small; /* the blurred reduced picture */
    SmallPicture picture;
    const ImgBlurEnd *end; /* the blur and the sharpening, in device memory */
    ImgUnsharp mask;
    bool sharpens;
    uint32_t strips, steps; /* number of strips; steps per block; the launch sets both */
};

ImgStatus gaussian_enlarge(EnlargeTask task, bool wide, void *stream, ImgError *err);

#endif
