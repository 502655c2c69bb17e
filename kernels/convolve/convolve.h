/* Private to convolve: weighted sums of the samples around a pixel, in integers.
 *
 *     result(x, y) = (sum of weight(i, j) * sample(x + i, y + j)) / divisor + bias
 *
 * Samples of up to 8 bits without alpha are summed as bytes. All others are lifted: converted to
 * signed 16-bit numbers (window/lift.h). A weight is a signed 16-bit multiple of 2^-places: it
 * has `places` fractional bits, as many as sums of 32 bits allow. For 8 bits without alpha,
 * `places` is at most 22. Otherwise it is 15 if the magnitudes of weights sum to 1, and one less
 * for each doubling of that sum.
 *
 * Weights are rounded, and each rounding error is carried to the next weight. So weights of 0 stay
 * 0, integer sums stay exact, and n weights are off by at most n * 2^-places in all. So the error
 * of a result is at most n/2 * 2^-places of the range of samples, plus the last rounding. With
 * alpha, multiplying and dividing by alpha also rounds. Weights that are multiples of 2^-places are
 * exact.
 *
 * Results below black and above white are clamped. Sums saturate to signed 16-bit numbers. This
 * does no harm, because black and white are inside this range or at its ends. */
#ifndef IMGTOOL_KERNELS_CONVOLVE_CONVOLVE_H
#define IMGTOOL_KERNELS_CONVOLVE_CONVOLVE_H

#include "kernels/window/lift.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IMG_KERNEL_SIDE = 31, IMG_KERNEL_WEIGHTS = IMG_KERNEL_SIDE * IMG_KERNEL_SIDE };

/* A kernel as the user gave it. Weights are in billionths, row by row. The magnitude of a weight is
 * at most a million. */
typedef struct ImgKernel {
    int32_t width, height; /* number of columns and rows of weights; both are odd */
    int64_t weights[IMG_KERNEL_WEIGHTS];
} ImgKernel;

/* Implements ImgOp.file.read. The content that it returns is an ImgKernel. */
ImgStatus img_kernel_read(const char *text, size_t size, ImgConstants *content, ImgError *err);

/* How alpha, and colours of pixels with alpha, are treated. */
typedef enum ImgConvolveWay {
    IMG_CONVOLVE_COPY,  /* the kernel changes nothing, so the result equals the source */
    IMG_CONVOLVE_PLAIN, /* the picture has no alpha */
    /* The weights sum to zero, or nearly so. Alpha does not change, and the resulting colours are
     * multiplied by alpha. */
    IMG_CONVOLVE_KEEP,
    IMG_CONVOLVE_ALPHA, /* for all other weights: the kernel also applies to alpha */
} ImgConvolveWay;

/* A weighted sum in integers: (offset + sum of weight * sample + half) >> shift, saturated to 16
 * bits. half is 1 << (shift - 1), for rounding. */
typedef struct ImgConvolveSum {
    int32_t offset, shift;
    int16_t weights[IMG_KERNEL_WEIGHTS + 1]; /* weights, followed by a 0 */
} ImgConvolveSum;

/* Constants that all implementations of convolve use, computed once per call. */
typedef struct ImgConvolve {
    ImgLift lift;
    int32_t border, way;
    int32_t is_bytes;      /* not 0: samples are summed as bytes; 0: they are lifted */
    int32_t width, height; /* number of columns and rows of the kernel */
    int32_t taps;          /* number of taps, the weights that are not 0 */
    /* for IMG_CONVOLVE_ALPHA; not 0: colours and alpha have the same weights, so one sum
     * suffices */
    int32_t is_one_sum;
    /* For IMG_CONVOLVE_ALPHA: the result's alpha, multiplied by this factor, is added to the sum of
     * each colour. */
    int32_t bias;
    /* Coordinates of the taps relative to the pixel, in pixels. */
    int8_t x[IMG_KERNEL_WEIGHTS + 1], y[IMG_KERNEL_WEIGHTS + 1];
    /* samples of the background, converted like the samples that are summed */
    int16_t background[4];
    ImgConvolveSum color, alpha;
} ImgConvolve;

typedef struct ImgConvolveScale {
    /* Divisor of the sum, in thousandths. 0 stands for the sum of weights, or for 1 if this sum is
     * 0. */
    int32_t divisor;
    /* number that is added to results, in thousandths of the full range, from -1000 to 1000 */
    int32_t bias;
} ImgConvolveScale;

/* Returns IMG_E_USAGE if the weights are too large for the divisor. The answer does not depend on
 * the format of the picture. */
ImgStatus img_convolve_check(const ImgKernel *kernel, const ImgConvolveScale *scale, ImgError *err);

/* Computes the constants *own of a call. img_convolve_check must have accepted the kernel and the
 * scale before. */
void img_convolve_make(const ImgKernel *kernel, const ImgConvolveScale *scale, ImgFormat format,
                       const ImgBorderParams *border, ImgConvolve *own);

/* --- A pixel ---------------------------------------------------------------------------------- */

/* Converts the samples of a source pixel to the numbers that are summed: bytes or lifted
 * samples. */
IMG_HOST_DEVICE void img_convolve_load(const ImgConvolve *own, const uint32_t sample[4],
                                       int32_t value[4])
{
    if (own->is_bytes == 0)
        img_lift_pixel(&own->lift, sample, value);
    else
        for (int32_t c = 0; c < 4; c++)
            value[c] = c < own->lift.channels ? (int32_t)(sample[c] * own->lift.scale) : 0;
}

IMG_HOST_DEVICE int32_t img_convolve_end(const ImgConvolveSum *sum, int32_t all)
{
    const int32_t value = (all + sum->offset + (1 << (sum->shift - 1))) >> sum->shift;
    return value < -32768 ? -32768 : value > 32767 ? 32767 : value;
}

/* Returns the colour to store, with `bits` bits, for a lifted colour that is already multiplied by
 * alpha. */
IMG_HOST_DEVICE uint32_t img_convolve_weighted(int32_t lifted, int32_t bits)
{
    const uint32_t color = (uint32_t)(lifted + IMG_LIFT_ZERO);
    if (bits == 16)
        return color;
    return color < 65025 ? (color + 127) / 255 : 255;
}

/* Converts sums to a pixel of the result. `sums` has one sum per channel; with IMG_CONVOLVE_ALPHA,
 * `alpha_sum` replaces the sum of alpha. `own` is the pixel of the source at the same position. */
IMG_HOST_DEVICE void img_convolve_pixel(const ImgConvolve *convolve, const int32_t sums[4],
                                        int32_t alpha_sum, const uint32_t own[4],
                                        uint32_t result[4])
{
    const ImgLift *lift = &convolve->lift;
    const int32_t is_alpha = convolve->way == IMG_CONVOLVE_ALPHA;
    const int32_t alpha = is_alpha ? img_convolve_end(&convolve->alpha, alpha_sum) : 0;
    const int32_t bias = is_alpha ? convolve->bias * alpha : 0;
    for (int32_t c = 0; c < 4; c++) {
        if (c >= lift->channels)
            break;
        const int32_t is_last = c + 1 == lift->channels;
        if (convolve->way == IMG_CONVOLVE_COPY || (convolve->way == IMG_CONVOLVE_KEEP && is_last)) {
            result[c] = own[c] * lift->scale;
            continue;
        }
        const int32_t color = img_convolve_end(&convolve->color, sums[c] + bias);
        if (convolve->way == IMG_CONVOLVE_PLAIN)
            result[c] = img_lower_plain(color, lift->bits);
        else if (convolve->way == IMG_CONVOLVE_KEEP)
            result[c] = img_convolve_weighted(color, lift->bits);
        else
            result[c] = is_last ? img_lower_alpha(alpha, lift->bits)
                                : img_lower_color(color, alpha, lift->bits);
    }
}

ImgStatus img_convolve_reference(const ImgCall *call, ImgError *err);
/* Implements ImgOp.cost.scratch for a kernel of `width` by `height` weights. */
uint64_t img_convolve_scratch(int32_t width, int32_t height, ImgShape src, int threads);

IMG_CPU_RUNS(img_convolve_cpu);
ImgStatus img_convolve_cuda_naive(const ImgCall *call, ImgError *err);
ImgStatus img_convolve_cuda_tiled(const ImgCall *call, ImgError *err);
ImgStatus img_convolve_cuda_fast(const ImgCall *call, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
