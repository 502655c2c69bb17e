/* Private to convolve: weighted sums of the samples around a pixel, in integers.
 *
 *     result(x, y) = (sum of weight(i, j) * sample(x + i, y + j)) / divisor + bias
 *
 * Samples of up to 8 bits without alpha are summed as bytes, others are lifted
 * (core/window/lift.h). A weight is a signed 16-bit multiple of 2^-places, with as many places as
 * sums of 32 bits allow. For 8 bits without alpha these are up to 22. Otherwise there are 15 places
 * if the magnitudes of weights sum to 1, and 1 place less for each doubling of that sum.
 *
 * Weights are rounded, and each rounding error is carried to the next weight. So weights of 0 stay
 * 0, integer sums stay exact, and n weights are off by at most n * 2^-places in all. A result is
 * off by at most half of that fraction of the range of samples, plus the last rounding. With alpha
 * there is also the rounding of multiplying and dividing by it. Weights that are multiples of
 * 2^-places are exact.
 *
 * Results below black and above white are clamped. Sums saturate to 16 bits with a sign; black and
 * white are the ends of that range or well inside it. */
#ifndef IMGTOOL_KERNELS_CONVOLVE_CONVOLVE_H
#define IMGTOOL_KERNELS_CONVOLVE_CONVOLVE_H

#include "kernels/core/window/lift.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IMG_KERNEL_SIDE = 31, IMG_KERNEL_WEIGHTS = IMG_KERNEL_SIDE * IMG_KERNEL_SIDE };

/* A kernel as the user gave it. Weights are in billionths, row by row; each is at most a
 * million. */
typedef struct ImgKernel {
    int32_t width, height; /* size, in weights; both are odd */
    int64_t weights[IMG_KERNEL_WEIGHTS];
} ImgKernel;

/* Implements ImgOp.read_file. The content that it returns is an ImgKernel. */
ImgStatus img_kernel_read(const char *text, size_t size, ImgConstants *content, ImgError *err);

/* Treatment of alpha, and of colours that have alpha. */
typedef enum ImgConvolveWay {
    IMG_CONVOLVE_COPY,  /* the result equals the source */
    IMG_CONVOLVE_PLAIN, /* the pictures have no alpha */
    /* Weights sum to zero, or nearly so: alpha does not change, and colours are stored multiplied
     * by it. */
    IMG_CONVOLVE_KEEP,
    IMG_CONVOLVE_ALPHA, /* weights sum to 1: the kernel also applies to alpha */
} ImgConvolveWay;

/* A sum: (offset + sum of weight * sample + half) >> shift, saturated to 16 bits. */
typedef struct ImgConvolveSum {
    int32_t offset, shift;
    int16_t weights[IMG_KERNEL_WEIGHTS + 1]; /* weights, followed by a 0 */
} ImgConvolveSum;

/* The constants of all implementations. */
typedef struct ImgConvolve {
    ImgLift lift;
    int32_t border, way;
    int32_t is_bytes;      /* not 0: samples are summed as bytes */
    int32_t width, height; /* size of the kernel */
    int32_t taps;          /* number of weights that are not 0 */
    int32_t is_one_sum;    /* for IMG_CONVOLVE_ALPHA, not 0: alpha uses the same sum as colours */
    /* for IMG_CONVOLVE_ALPHA: weight of the result's alpha in the sum of each colour */
    int32_t bias;
    /* positions of the taps (weights that are not 0), relative to the pixel */
    int8_t x[IMG_KERNEL_WEIGHTS + 1], y[IMG_KERNEL_WEIGHTS + 1];
    int16_t background[4]; /* background, as the numbers that are summed */
    ImgConvolveSum color, alpha;
} ImgConvolve;

typedef struct ImgConvolveScale {
    /* divisor, in thousandths; 0 stands for the sum of weights, or 1 if that is 0 */
    int32_t divisor;
    int32_t bias; /* bias, in thousandths of the full range, -1000 to 1000 */
} ImgConvolveScale;

/* Returns IMG_E_USAGE if weights are too large for the divisor, whatever the format. */
ImgStatus img_convolve_check(const ImgKernel *kernel, const ImgConvolveScale *scale, ImgError *err);

/* Computes the constants. img_convolve_check must have accepted the arguments. */
void img_convolve_make(const ImgKernel *kernel, const ImgConvolveScale *scale, ImgFormat format,
                       const ImgBorderParams *border, ImgConvolve *own);

/* --- A pixel ---------------------------------------------------------------------------------- */

/* Converts a pixel of the source to the numbers that are summed. */
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

/* Returns a stored colour: the lifted one, multiplied by the unchanged alpha. */
IMG_HOST_DEVICE uint32_t img_convolve_weighted(int32_t lifted, int32_t bits)
{
    const uint32_t color = (uint32_t)(lifted + IMG_LIFT_ZERO);
    if (bits == 16)
        return color;
    return color < 65025 ? (color + 127) / 255 : 255;
}

/* Converts sums to a pixel of the result. `sums` are those of colours; with IMG_CONVOLVE_ALPHA,
 * `alpha_sum` is that of alpha. `own` is the pixel of the source. */
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
/* Implements ImgOp.scratch for a kernel of that size. */
uint64_t img_convolve_scratch(int32_t width, int32_t height, ImgShape src, int threads);

ImgStatus img_convolve_cpu(const ImgCall *call, ImgError *err);
ImgStatus img_convolve_cpu_neon(const ImgCall *call, ImgError *err);
ImgStatus img_convolve_cpu_avx2(const ImgCall *call, ImgError *err);
ImgStatus img_convolve_cpu_avx512(const ImgCall *call, ImgError *err);
ImgStatus img_convolve_cuda_naive(const ImgCall *call, ImgError *err);
ImgStatus img_convolve_cuda_tiled(const ImgCall *call, ImgError *err);
ImgStatus img_convolve_cuda_fast(const ImgCall *call, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
