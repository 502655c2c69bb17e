/* Private to convolve: sums of weighted samples around a pixel, in whole numbers.
 *
 *     result(x, y) = (sum of weight(i, j) * sample(x + i, y + j)) / divisor + bias
 *
 * Samples of up to 8 bits without alpha are summed as bytes, others lifted (core/window/lift.h). A
 * weight is a multiple of 2^-places, of 16 bits with a sign, and `places` as many as sums of 32
 * bits allow: at 8 bits without alpha up to 22, else 15 where magnitudes of weights sum to 1, and 1
 * less for each doubling of that sum. Rounding is carried from a weight to the next, so that
 * weights of 0 stay 0, what sums to a whole number does so still, and n weights are off by at most
 * n * 2^-places in all. A result is off by at most half of that share of the range of samples,
 * beside rounding once, and with alpha where that is put to colours and taken off again. Weights
 * that are multiples of 2^-places are exact.
 *
 * Results below black and above white become these: a sum is cut to 16 bits with a sign, of which
 * black and white are the ends or lie well inside. */
#ifndef IMGTOOL_KERNELS_CONVOLVE_CONVOLVE_H
#define IMGTOOL_KERNELS_CONVOLVE_CONVOLVE_H

#include "kernels/core/window/lift.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IMG_KERNEL_SIDE = 31, IMG_KERNEL_WEIGHTS = IMG_KERNEL_SIDE * IMG_KERNEL_SIDE };

/* A kernel as the user gave it. Weights in billionths, row by row; at most a million each. */
typedef struct ImgKernel {
    int32_t width, height; /* both odd */
    int64_t weights[IMG_KERNEL_WEIGHTS];
} ImgKernel;

/* For ImgOp.read_file: the content is an ImgKernel. */
ImgStatus img_kernel_read(const char *text, size_t size, ImgConstants *content, ImgError *err);

/* What becomes of alpha, and so of colours. */
typedef enum ImgConvolveWay {
    IMG_CONVOLVE_COPY,  /* the kernel changes nothing */
    IMG_CONVOLVE_PLAIN, /* there is no alpha */
    /* The weights sum to (nearly) nothing: alpha stays, and colours are stored weighted by it. */
    IMG_CONVOLVE_KEEP,
    IMG_CONVOLVE_ALPHA, /* the kernel, of which weights then sum to 1, is for alpha too */
} ImgConvolveWay;

/* (offset + sum of weight * sample + half) >> shift, cut to 16 bits. */
typedef struct ImgConvolveSum {
    int32_t offset, shift;
    int16_t weights[IMG_KERNEL_WEIGHTS + 1]; /* then a 0 */
} ImgConvolveSum;

/* What implementations get as constants. */
typedef struct ImgConvolve {
    ImgLift lift;
    int32_t border, way;
    int32_t is_bytes;      /* samples are summed as bytes */
    int32_t width, height; /* of the kernel */
    int32_t taps;          /* weights that are not 0 */
    int32_t is_one_sum;    /* IMG_CONVOLVE_ALPHA: alpha's sum is that of colours */
    int32_t bias;          /* IMG_CONVOLVE_ALPHA: a weight, of the result's alpha in colours */
    int8_t x[IMG_KERNEL_WEIGHTS + 1], y[IMG_KERNEL_WEIGHTS + 1]; /* of taps, from the pixel */
    int16_t background[4];                                       /* as samples are summed */
    ImgConvolveSum color, alpha;
} ImgConvolve;

typedef struct ImgConvolveScale {
    int32_t divisor; /* thousandths; 0: the sum of weights, or 1 where that is 0 */
    int32_t bias;    /* thousandths of the full range, -1000 to 1000 */
} ImgConvolveScale;

/* IMG_E_USAGE where weights are too large beside the divisor, whatever the format. */
ImgStatus img_convolve_check(const ImgKernel *kernel, const ImgConvolveScale *scale, ImgError *err);

/* Of what img_convolve_check accepts. */
void img_convolve_make(const ImgKernel *kernel, const ImgConvolveScale *scale, ImgFormat format,
                       const ImgBorderParams *border, ImgConvolve *own);

/* --- A pixel ---------------------------------------------------------------------------------- */

/* A pixel of the source as it is summed. */
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

/* As colours are stored that are weighted by an alpha that stays. */
IMG_HOST_DEVICE uint32_t img_convolve_weighted(int32_t lifted, int32_t bits)
{
    const uint32_t color = (uint32_t)(lifted + IMG_LIFT_ZERO);
    if (bits == 16)
        return color;
    return color < 65025 ? (color + 127) / 255 : 255;
}

/* `sums` of colours and, IMG_CONVOLVE_ALPHA, `alpha_sum` of the alpha's weights become a pixel;
 * `own` is the source's. */
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
/* For ImgOp.scratch, of a kernel of that size. */
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
