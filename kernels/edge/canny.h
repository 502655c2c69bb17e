/* Private to canny: Canny's edge detector in integer arithmetic, for CPU and GPU.
 *
 * The gray of a pixel is its luma times alpha. It has 13 bits, so that Sobel's gradient fits a
 * signed 16-bit number. Gray is smoothed vertically and then horizontally, by weights that are
 * multiples of 2^-15; each sum is rounded. Magnitudes of gradients are compared by their squares,
 * which are exact.
 *
 * Beyond the edges of the picture, the border mode defines the gray, which is smoothed like the
 * gray inside. Magnitudes beyond the edges count as 0. Source: J. Canny, "A computational approach
 * to edge detection", IEEE Trans. PAMI 8 (1986). */
#ifndef IMGTOOL_KERNELS_EDGE_CANNY_H
#define IMGTOOL_KERNELS_EDGE_CANNY_H

#include "kernels/core/color/luma.h"
#include "kernels/core/cuda/host_device.h"
#include "kernels/core/cuda/textbook.h"
#include "kernels/window/border.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    IMG_CANNY_PLACES = 15,
    /* largest standard deviation of the Gaussian, in thousandths of a pixel */
    IMG_CANNY_SIGMA = 10000,
    /* largest radius of the Gaussian in pixels: 3.5 times the largest sigma */
    IMG_CANNY_RADIUS = 35,
    IMG_CANNY_WHITE = 8191,
    /* Classes of pixels. Before hysteresis, the result contains them instead of black and white. */
    IMG_CANNY_WEAK = 1,
    IMG_CANNY_STRONG = 255,
};

/* Constants that all implementations of canny use, computed once per call. */
typedef struct ImgCanny {
    int32_t border;
    int32_t channels, has_alpha;
    uint32_t scale; /* factor that scales samples of the source to 16 bits */
    ImgLumaWeights luma;
    /* gray beyond the edges of the picture, for IMG_BORDER_CONSTANT */
    int32_t background;
    int32_t low, high; /* thresholds of hysteresis, as squared magnitudes */
    /* radius of the Gaussian in pixels; 0: no smoothing */
    int32_t radius;
    /* 2 * radius + 1 weights of the Gaussian, then a weight of 0: ImgTaps has an even number */
    int16_t weights[2 * IMG_CANNY_RADIUS + 2];
} ImgCanny;

IMG_HOST_DEVICE int32_t img_canny_gray_opaque(const ImgCanny *canny, uint32_t luma)
{
    return (int32_t)(luma * canny->scale >> 3);
}

IMG_HOST_DEVICE int32_t img_canny_gray_alpha(const ImgCanny *canny, uint32_t luma, uint32_t alpha)
{
    const uint32_t product = (luma * canny->scale) * (alpha * canny->scale);
    return (int32_t)((product + 32767) / 65535 >> 3);
}

/* Returns the gray of a pixel, from 0 to IMG_CANNY_WHITE. */
IMG_HOST_DEVICE int32_t img_canny_gray(const ImgCanny *canny, const uint32_t sample[4])
{
    const uint32_t luma =
        canny->channels < 3 ? sample[0] : img_luma(canny->luma, sample[0], sample[1], sample[2]);
    if (canny->has_alpha == 0)
        return img_canny_gray_opaque(canny, luma);
    return img_canny_gray_alpha(canny, luma, canny->channels == 2 ? sample[1] : sample[3]);
}

IMG_HOST_DEVICE int32_t img_canny_magnitude(int32_t across, int32_t down)
{
    return across * across + down * down;
}

/* Returns one component, -1, 0 or 1, of the step from a pixel to the neighbour in the direction of
 * its gradient. `along` is the gradient along the axis of this component, and `other` is the
 * gradient along the other axis. The direction is rounded to a multiple of 45 degrees: 27146 /
 * 65536 is just above the tangent of 22.5 degrees. */
IMG_HOST_DEVICE int32_t img_canny_step(int32_t along, int32_t other)
{
    const int32_t size = along < 0 ? -along : along, beside = other < 0 ? -other : other;
    if (size <= beside * 27146 >> 16)
        return 0;
    return along < 0 ? -1 : 1;
}

/* Returns true if a pixel is a ridge: its magnitude is above the magnitude of its neighbour on the
 * brighter side of the gradient, and not below the magnitude of its neighbour on the darker side.
 * Of two neighbours of equal magnitude, only the brighter one is a ridge. So edges are one pixel
 * wide, and rotating the picture does not move them. */
IMG_HOST_DEVICE bool img_canny_is_ridge(int32_t magnitude, int32_t brighter, int32_t darker)
{
    return magnitude > brighter && magnitude >= darker;
}

/* --- Implementations -------------------------------------------------------------------------- */

ImgStatus img_canny_reference(const ImgCall *call, ImgError *err);
/* Implements ImgOp.cost.scratch for a Gaussian of the given radius. */
uint64_t img_canny_scratch(int32_t radius, ImgShape src, int threads);

IMG_CPU_RUNS(img_canny_cpu);
IMG_TEXTBOOK ImgStatus img_canny_cuda_naive(const ImgCall *call, ImgError *err);
IMG_TEXTBOOK size_t img_canny_cuda_naive_workspace(const ImgOp *op, ImgShape src,
                                                   const void *params);
ImgStatus img_canny_cuda_fast(const ImgCall *call, ImgError *err);
size_t img_canny_cuda_fast_workspace(const ImgOp *op, ImgShape src, const void *params);

#ifdef __cplusplus
}
#endif
#endif
