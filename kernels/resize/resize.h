/* Private to resize: its parameters, its geometry, and its arithmetic.
 *
 * Geometry. Pixel centres are at half integers, and the corners of both pictures coincide. Along an
 * axis, `src` samples become `full` samples. New sample i is at position
 * (2 i + 1) src / (2 full) - 1/2, an exact fraction. Its value is the weighted sum of the samples
 * around that position. The filter gives the weights (core/resample/filter.h); if the picture
 * shrinks, the filter is widened by src / full. The weights of the box filter are the parts of each
 * source sample that the new one covers. Samples beyond the edges have the value of the nearest
 * sample inside.
 *
 * Arithmetic. Vertical sums come first, then horizontal ones; the picture between them is called
 * the middle. All numbers are integers. A sum has a value u for each sample: the sample itself, or,
 * if there is alpha, colour times alpha, and alpha times the maximum. A weight w is a multiple of
 * 2^-places. With --linear, colours are first converted to linear light: 8-bit samples to 16 bits,
 * 16-bit samples to 22 bits (resize_light.c). "To lift" a sample means to compute u - zero.
 *
 *     middle = round(sum of w (u - zero) / 2^(places - fraction))
 *     result = zero + round(sum of w middle / 2^(places + fraction)), clamped to 0..maximum
 *
 * There are two sizes of numbers:
 *
 *     narrow  up to 8 bits per sample and at most 1024 weights. Weights have 14 or 15 places and
 *             fit 16 bits. The middle fits 16 bits, and sums fit 32.
 *             zero 128, fraction 7; with alpha or linear light: zero 32768, fraction -1
 *     wide    16 bits per sample, or more than 1024 weights, or linear light with alpha.
 *             Weights have 22 places, the middle fits 28 bits, and sums fit 64.
 *             zero 0; fraction 28 less the bits of a colour, less those of alpha: from 20
 *             for 8 bits to -10 for 16-bit linear light with alpha
 *
 * With very many weights, each is only a few multiples of 2^-22, or less than one. Therefore
 * running sums of weights are rounded (img_filter_round). Sums are rounded to nearest, ties up.
 * tests/unit/test_resize.c has the errors of the result. */
#ifndef IMGTOOL_KERNELS_RESIZE_RESIZE_H
#define IMGTOOL_KERNELS_RESIZE_RESIZE_H

#include "kernels/canvas/canvas.h"
#include "kernels/core/cuda/host_device.h"
#include "kernels/core/op.h"
#include "kernels/core/resample/filter.h"
#include "kernels/core/sample.h"
#include "kernels/core/window/border.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ImgResizeParams {
    ImgSize size;
    int32_t fit, gravity, only, filter, linear;
    int32_t light; /* value of ImgFacts.light for the picture; not an option */
    /* background for `--fit contain`; a border of this operation is always constant */
    ImgBorderParams around;
} ImgResizeParams;

enum { IMG_FIT_INSIDE, IMG_FIT_COVER, IMG_FIT_CONTAIN, IMG_FIT_FILL, IMG_FIT_OUTSIDE };
enum { IMG_ONLY_ANY, IMG_ONLY_SHRINK, IMG_ONLY_ENLARGE };

/* Returns true if each pixel of the result is a copy of a source pixel. In that case palette
 * indices stay indices, and samples keep their number of bits. */
static inline bool img_resize_keeps_samples(const ImgResizeParams *params)
{
    return params->filter == IMG_FILTER_NEAREST &&
           (params->fit != IMG_FIT_CONTAIN || params->around.index != 0);
}

/* --- Geometry --------------------------------------------------------------------------------- */

/* The geometry along one axis, in pixels. `src` samples are scaled to `full`. Only `count` of the
 * scaled samples are computed, beginning with number `skip`. They are placed in the result from
 * position `at` on. */
typedef struct ImgResizeSpan {
    int32_t src, full, skip, count, at;
} ImgResizeSpan;

typedef struct ImgResizeGeometry {
    ImgResizeSpan across, down;
    int32_t width, height; /* size of the result */
} ImgResizeGeometry;

/* Computes the geometry for a picture of `width` x `height`. Returns false if a side would exceed
 * the limit of pictures. */
bool img_resize_geometry(const ImgResizeParams *params, int32_t width, int32_t height,
                         ImgResizeGeometry *geometry);

/* --- Margins of another format ---------------------------------------------------------------- */

/* Returns the format of the result. If the result has margins, img_border_format determines it. (In
 * resize_margins.c, like the functions below.) */
ImgFormat img_resize_format(const ImgResizeParams *params, ImgShape src);

/* Returns true if the result has margins, or if the size of the picture is not known yet (0). */
bool img_resize_has_margins(const ImgResizeParams *params, ImgShape src);

/* Returns true if the margins need colours or alpha that the picture does not have. In that case
 * the constants and loops are those of the picture without margins, and the scaled picture is
 * copied into its margins afterwards. */
bool img_resize_is_apart(const ImgResizeParams *params, ImgShape src);

/* Returns the shape of the scaled picture without its margins, in the format of the source. */
ImgShape img_resize_inner_shape(const ImgResizeParams *params, ImgShape src);

/* Return the bytes of the scaled picture without margins, or 0 if it needs no separate memory. The
 * first is for ImgOp.scratch. The second is for CUDA implementations, which have it at the start of
 * their workspace. */
uint64_t img_resize_inner_bytes(const ImgResizeParams *params, ImgShape src);
size_t img_resize_inner_workspace(const ImgResizeParams *params, ImgShape src);

/* Returns the position of the scaled picture in the result. */
ImgCanvas img_resize_canvas(const ImgCall *call);

/* Copies the scaled picture `inner` to its position in the result, with the reference of canvases
 * or with several threads. */
ImgStatus img_resize_put_inner(const ImgCall *call, const ImgView *inner, bool is_reference);

/* Call `run` for the scaled picture without margins and add the margins, if img_resize_is_apart.
 * Otherwise call `run` with `call` unchanged. */
ImgStatus img_resize_run_cpu(const ImgCall *call, ImgRunFunction *run, bool is_reference,
                             ImgError *err);
ImgStatus img_resize_run_cuda(const ImgCall *call, ImgRunFunction *run, ImgError *err);

/* --- Constants -------------------------------------------------------------------------------- */

enum {
    /* largest side of a picture: twice as many weights must fit int32_t */
    IMG_RESIZE_LONGEST = INT32_MAX / 2,
    IMG_RESIZE_NARROW_TAPS = 1024, /* most weights per new sample for narrow sums */
    IMG_RESIZE_NAIVE_TAPS = 4096,
    IMG_RESIZE_WIDE_PLACES = 22,
    /* bits of the maximum between the vertical and the horizontal pass of wide sums */
    IMG_RESIZE_MIDDLE_BITS = 28,
    IMG_RESIZE_LIGHT_BITS_OF_8 = 16,
    IMG_RESIZE_LIGHT_BITS_OF_16 = 22,
    IMG_RESIZE_TILE = 32, /* columns of a CUDA tile; it has 8 rows */
    IMG_RESIZE_TILE_BYTES = 49152,
};

/* Geometry and weights of an axis. The `*_at` members are offsets from the start of the block of
 * constants, in bytes. */
typedef struct ImgResizeAxis {
    ImgResizeSpan span;
    int32_t places;
    int32_t taps; /* number of weights per new sample: even, padded with zeros */
    /* offset of int32_t[count]: first source sample with a weight, an even number */
    size_t first_at;
    /* offset of int16_t[count * taps], or of int32_t[count * taps] for wide sums */
    size_t weights_at;
} ImgResizeAxis;

typedef struct ImgResize {
    ImgResizeAxis across, down;
    int32_t width, height; /* size of the result */
    int32_t copies;        /* not 0: each pixel is a copy of a source pixel, without sums */
    int32_t wide, zero, fraction;
    int32_t channels, has_alpha, bits; /* of the result in memory; `bits` is 8 or 16 */
    uint32_t scale; /* factor that converts samples of fewer than 8 bits to 8; 1 if bits are kept */
    int32_t linear; /* not 0: sums use linear light */
    uint32_t top, alpha_top; /* largest colour that is summed; largest alpha */
    size_t light_at;         /* offset of uint32_t[alpha_top + 1]: linear light of each sample */
    /* Offset of the inverse table. For 8 bits it is uint8_t[top + 1]: the sample for each light.
     * For 16 bits it is uint32_t[65536]: the smallest light that gives each sample. */
    size_t codes_at;
    uint16_t background[4];
} ImgResize;

/* Fills all members except the offsets and the binary places of weights. (In resize_weights.c, like
 * the two functions below.) */
ImgResize img_resize_describe(const ImgResizeParams *params, ImgShape src);
uint64_t img_resize_constants_bytes(ImgShape src, const void *params);
ImgStatus img_resize_make(const ImgResizeParams *params, ImgShape src, ImgConstants *constants,
                          ImgError *err);

/* The first function reserves the tables of light in a block of `size` bytes and returns the new
 * size of the block. The second fills them; `light` is an ImgFacts.light. (In resize_light.c.) */
size_t img_resize_lay_light(ImgResize *own, size_t size);
void img_resize_make_light(ImgResize *own, int32_t light);

/* --- Shared by all implementations
 * ------------------------------------------------------------- */

IMG_HOST_DEVICE const int32_t *img_resize_first(const ImgResize *own, const ImgResizeAxis *axis)
{
    return (const int32_t *)(const void *)((const uint8_t *)own + axis->first_at);
}

/* Returns weight `k` of new sample `i` (of those that are computed). */
IMG_HOST_DEVICE int32_t img_resize_weight(const ImgResize *own, const ImgResizeAxis *axis,
                                          int32_t i, int32_t k)
{
    const size_t at = (size_t)i * (size_t)axis->taps + (size_t)k;
    const void *weights = (const uint8_t *)own + axis->weights_at;
    return own->wide ? ((const int32_t *)weights)[at] : ((const int16_t *)weights)[at];
}

/* Returns the position of the source sample for weight `k`. An even number of weights may extend
 * past the edge. For these the function returns the last sample, and their weight is 0. */
IMG_HOST_DEVICE int32_t img_resize_place(const ImgResizeAxis *axis, int32_t first, int32_t k)
{
    return first + k < axis->span.src ? first + k : axis->span.src - 1;
}

/* Returns the source sample that new sample `i` copies, in resizes without sums. */
IMG_HOST_DEVICE int32_t img_resize_copied(const ImgResize *own, const ImgResizeAxis *axis,
                                          int32_t i)
{
    return img_resize_first(own, axis)[i] + (img_resize_weight(own, axis, i, 0) == 0);
}

IMG_HOST_DEVICE int64_t img_resize_round(int64_t sum, int32_t places)
{
    return (sum + ((int64_t)1 << (places - 1))) >> places;
}

/* Converts a sample of a colour to the value that is summed: linear light, or the sample itself. */
IMG_HOST_DEVICE uint32_t img_resize_light(const ImgResize *own, uint32_t sample)
{
    const void *light = (const uint8_t *)own + own->light_at;
    return own->linear ? ((const uint32_t *)light)[sample] : sample;
}

/* Converts a value from 0 to `top` back to a sample. */
IMG_HOST_DEVICE uint32_t img_resize_code(const ImgResize *own, uint32_t light)
{
    const void *codes = (const uint8_t *)own + own->codes_at;
    if (!own->linear)
        return light;
    if (own->bits == 8)
        return ((const uint8_t *)codes)[light];
    uint32_t sample = 0;
    for (uint32_t step = 32768; step > 0; step /= 2)
        sample += ((const uint32_t *)codes)[sample + step] <= light ? step : 0;
    return sample;
}

/* Returns u - zero (see the head of this file) for channel c of a pixel. */
IMG_HOST_DEVICE int64_t img_resize_lift(const ImgResize *own, const uint32_t pixel[4], int32_t c)
{
    if (!own->has_alpha)
        return (int64_t)img_resize_light(own, pixel[c]) - own->zero;
    const uint32_t alpha = own->channels == 2 ? pixel[1] : pixel[3];
    const uint32_t other = c + 1 == own->channels ? own->top : img_resize_light(own, pixel[c]);
    return (int64_t)((uint64_t)other * alpha) - own->zero;
}

IMG_HOST_DEVICE int64_t img_resize_cut(int64_t value, int64_t maximum)
{
    return value < 0 ? 0 : value > maximum ? maximum : value;
}

/* Returns the colour, from 0 to `maximum`, whose product with `alpha` is `color`. Sums may
 * overshoot their range, so `color` is clamped. `alpha` must not be clamped before the call, so
 * that a picture of one colour keeps that colour. */
IMG_HOST_DEVICE uint32_t img_resize_color(int64_t color, int64_t alpha, int64_t maximum)
{
    if (alpha <= 0)
        return 0;
    return (uint32_t)((uint64_t)(img_resize_cut(color, alpha) * maximum + alpha / 2) /
                      (uint64_t)alpha);
}

/* Converts sums to the samples of a pixel of the result. Colours are 0 where alpha is 0. */
IMG_HOST_DEVICE void img_resize_lower(const ImgResize *own, const int64_t value[4],
                                      uint32_t pixel[4])
{
    const int64_t top = own->top;
    const int64_t alpha = own->channels == 2 ? value[1] : value[3];
    for (int32_t c = 0; c < own->channels; c++) {
        if (!own->has_alpha)
            pixel[c] = img_resize_code(own, (uint32_t)img_resize_cut(value[c], top));
        else if (c + 1 < own->channels)
            pixel[c] = img_resize_code(own, img_resize_color(value[c], alpha, top));
        else
            pixel[c] = (uint32_t)((img_resize_cut(alpha, top * own->alpha_top) + top / 2) / top);
    }
}

/* The first function returns the largest number of source columns that IMG_RESIZE_TILE new columns
 * use. The second returns the bytes of a tile of 8 rows of that many columns. (In
 * resize_strips.c.) */
int64_t img_resize_tile_columns(const ImgResize *own);
size_t img_resize_tile_bytes(const ImgResize *own);
/* The first function returns true if the fast CUDA kernel applies: products of bytes are exact, and
 * windows fit the shared memory of GPUs from sm_90 on. The second returns true if windows fit the
 * shared memory of all GPUs. */
bool img_resize_is_for_strips(const ImgResize *own);
bool img_resize_has_small_strips(const ImgResize *own);

ImgStatus img_resize_reference(const ImgCall *call, ImgError *err);
/* Implements ImgOp.scratch for the CPU implementations. */
uint64_t img_resize_scratch(ImgShape src, const void *params, int threads);
ImgStatus img_resize_cpu(const ImgCall *call, ImgError *err);
ImgStatus img_resize_cpu_neon(const ImgCall *call, ImgError *err);
ImgStatus img_resize_cpu_avx2(const ImgCall *call, ImgError *err);
ImgStatus img_resize_cpu_avx512(const ImgCall *call, ImgError *err);
/* Members of ImgByRows. (In resize_by_rows.c.) */
uint64_t img_resize_by_rows_bytes(ImgShape src, const void *params);
ImgStatus img_resize_by_rows(const ImgCall *call, void **state, ImgError *err);
ImgStatus img_resize_by_rows_neon(const ImgCall *call, void **state, ImgError *err);
ImgStatus img_resize_by_rows_avx2(const ImgCall *call, void **state, ImgError *err);
ImgStatus img_resize_by_rows_avx512(const ImgCall *call, void **state, ImgError *err);
void img_resize_by_rows_take(void *state, const ImgView *rows, int32_t first);
void img_resize_by_rows_end(void *state);
/* Requires at most IMG_RESIZE_NAIVE_TAPS source pixels per new one. */
ImgStatus img_resize_cuda_naive(const ImgCall *call, ImgError *err);
ImgStatus img_resize_cuda_separable(const ImgCall *call, ImgError *err);
/* Requires that img_resize_tile_bytes is at most IMG_RESIZE_TILE_BYTES. */
ImgStatus img_resize_cuda_tiled(const ImgCall *call, ImgError *err);
/* Requires img_resize_is_for_strips. Needs the workspace of the separable version, unless
 * img_resize_has_small_strips is true. */
ImgStatus img_resize_cuda_fast(const ImgCall *call, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
