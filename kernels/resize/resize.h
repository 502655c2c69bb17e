/* Private to resize: its parameters, its geometry, and the arithmetic.
 *
 * Pixel centres are at half integers and corners coincide. Along an axis of `src` samples that
 * becomes `full` samples, the new sample i stands at (2 i + 1) src / (2 full) - 1/2, an exact
 * fraction. It is the weighted sum of the samples around it. The filter gives the weights
 * (core/resample/filter.h), and widens with src / full when the picture shrinks. The box filter
 * weighs by how much of each sample the new one covers. Samples beyond the edges equal the nearest
 * inside.
 *
 * First columns are summed, then rows. u is a sample, or colour times alpha and alpha times the
 * maximum. Weights w are multiples of 2^-places, and all arithmetic is in integers. With --linear
 * colours are first converted to linear light, of 16 bits for samples of 8 and of 22 for those of
 * 16 (resize_light.c):
 *
 *     middle = round(sum of w (u - zero) / 2^(places - fraction))
 *     result = zero + round(sum of w middle / 2^(places + fraction)), cut off at 0 and the maximum
 *
 *     narrow: up to 8 bits        zero 128    fraction 7    16 bits hold the middle, and 32 sums
 *             alpha, or linear    zero 32768  fraction -1
 *     wide:   16 bits, or more    zero 0      fraction so that 28 bits hold the middle: 20 of up to
 *             than 1024 weights,              8 bits, 12 of 16 bits and of 8 with alpha, -10 of
 *             or linear and alpha             linear light of 16 bits with alpha
 *
 * Narrow weights have 14 or 15 places and fit 16 bits; wide ones have 22. With so many weights that
 * each is only a few multiples of 2^-22, or less than one, running sums are rounded
 * (img_filter_round). Sums are rounded to nearest, ties up. (tests/unit/test_resize.c has the
 * error.) */
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
    int32_t light;          /* as ImgFacts.light; not an option */
    ImgBorderParams around; /* background of contain, where the border counts as constant */
} ImgResizeParams;

enum { IMG_FIT_INSIDE, IMG_FIT_COVER, IMG_FIT_CONTAIN, IMG_FIT_FILL, IMG_FIT_OUTSIDE };
enum { IMG_ONLY_ANY, IMG_ONLY_SHRINK, IMG_ONLY_ENLARGE };

/* Returns true if each pixel of the result is a copy of a source pixel. Indices then stay indices,
 * and samples keep their few bits. */
static inline bool img_resize_keeps_samples(const ImgResizeParams *params)
{
    return params->filter == IMG_FILTER_NEAREST &&
           (params->fit != IMG_FIT_CONTAIN || params->around.index != 0);
}

/* --- Geometry --------------------------------------------------------------------------------- */

/* One axis. `src` samples are scaled to `full`. Only `count` of these are computed, from number
 * `skip` on, and are placed in the result from `at` on. */
typedef struct ImgResizeSpan {
    int32_t src, full, skip, count, at;
} ImgResizeSpan;

typedef struct ImgResizeGeometry {
    ImgResizeSpan across, down;
    int32_t width, height; /* of the result */
} ImgResizeGeometry;

/* Computes the geometry. Returns false if a side would exceed the limit of pictures. */
bool img_resize_geometry(const ImgResizeParams *params, int32_t width, int32_t height,
                         ImgResizeGeometry *geometry);

/* --- Margins of another format ---------------------------------------------------------------- */

/* In resize_margins.c. Returns the format of the result; if it has margins, img_border_format
 * determines it. */
ImgFormat img_resize_format(const ImgResizeParams *params, ImgShape src);

/* Returns true if the result has margins, or if the picture has unknown size (0). */
bool img_resize_has_margins(const ImgResizeParams *params, ImgShape src);

/* Returns true if the picture lacks colours or alpha that its margins have. Constants and loops are
 * then those of the picture alone, which is placed in its margins afterwards. */
bool img_resize_is_apart(const ImgResizeParams *params, ImgShape src);

/* Returns the shape of the picture without its margins, in its own format. */
ImgShape img_resize_inner_shape(const ImgResizeParams *params, ImgShape src);

/* Return the number of bytes of that picture, or 0 if it needs no separate memory: for
 * ImgOp.scratch, and for the start of the workspace of CUDA implementations. */
uint64_t img_resize_inner_bytes(const ImgResizeParams *params, ImgShape src);
size_t img_resize_inner_workspace(const ImgResizeParams *params, ImgShape src);

/* Returns the position of the picture in the result. */
ImgCanvas img_resize_canvas(const ImgCall *call);

/* Copies the picture to its position, with the reference of canvases or with several threads. */
ImgStatus img_resize_put_inner(const ImgCall *call, const ImgView *inner, bool is_reference);

/* Call `run` for the picture alone if img_resize_is_apart, otherwise with `call` as it is. */
ImgStatus img_resize_run_cpu(const ImgCall *call, ImgRunFunction *run, bool is_reference,
                             ImgError *err);
ImgStatus img_resize_run_cuda(const ImgCall *call, ImgRunFunction *run, ImgError *err);

/* --- Constants -------------------------------------------------------------------------------- */

enum {
    /* largest side of a picture: twice as many weights fit int32_t */
    IMG_RESIZE_LONGEST = INT32_MAX / 2,
    IMG_RESIZE_NARROW_TAPS = 1024, /* the largest number */
    IMG_RESIZE_NAIVE_TAPS = 4096,
    IMG_RESIZE_WIDE_PLACES = 22,
    IMG_RESIZE_MIDDLE_BITS = 28, /* bits of the maximum between wide passes */
    IMG_RESIZE_LIGHT_BITS_OF_8 = 16,
    IMG_RESIZE_LIGHT_BITS_OF_16 = 22,
    IMG_RESIZE_TILE = 32, /* columns of a CUDA tile of 8 rows */
    IMG_RESIZE_TILE_BYTES = 49152,
};

/* Weights of an axis, with offsets from the start of the block of constants. */
typedef struct ImgResizeAxis {
    ImgResizeSpan span;
    int32_t places;
    int32_t taps;      /* weights per new sample, an even number; padded with zeros */
    size_t first_at;   /* bytes to int32_t[count]: the first sample with a weight, an even number */
    size_t weights_at; /* bytes to int16_t[count * taps], or int32_t if wide */
} ImgResizeAxis;

typedef struct ImgResize {
    ImgResizeAxis across, down;
    int32_t width, height; /* of the result */
    int32_t copies;        /* each pixel is a copy of a source pixel: no sums */
    int32_t wide, zero, fraction;
    int32_t channels, has_alpha, bits; /* bits: 8 or 16, of the result in memory */
    uint32_t scale;          /* factor from samples of fewer bits to 8; 1 if bits are kept */
    int32_t linear;          /* sums use linear light */
    uint32_t top, alpha_top; /* the largest colour that is summed, and the largest alpha */
    size_t light_at;         /* bytes to uint32_t[alpha_top + 1]: linear light of each sample */
    /* bytes to the inverse table; of 8 bits: uint8_t[top + 1], the sample for each light; of 16
     * bits: uint32_t[65536], the least light that gives each sample */
    size_t codes_at;
    uint16_t background[4];
} ImgResize;

/* In resize_weights.c. Fills all members except the offsets and places of weights. */
ImgResize img_resize_describe(const ImgResizeParams *params, ImgShape src);
uint64_t img_resize_constants_bytes(ImgShape src, const void *params);
ImgStatus img_resize_make(const ImgResizeParams *params, ImgShape src, ImgConstants *constants,
                          ImgError *err);

/* In resize_light.c. The first reserves the tables of light in a block of `size` bytes and returns
 * its new size. The second fills them for an ImgFacts.light. */
size_t img_resize_lay_light(ImgResize *own, size_t size);
void img_resize_make_light(ImgResize *own, int32_t light);

/* --- Shared by all implementations
 * ------------------------------------------------------------- */

IMG_HOST_DEVICE const int32_t *img_resize_first(const ImgResize *own, const ImgResizeAxis *axis)
{
    return (const int32_t *)(const void *)((const uint8_t *)own + axis->first_at);
}

/* Returns weight `k` of new sample `i`. */
IMG_HOST_DEVICE int32_t img_resize_weight(const ImgResize *own, const ImgResizeAxis *axis,
                                          int32_t i, int32_t k)
{
    const size_t at = (size_t)i * (size_t)axis->taps + (size_t)k;
    const void *weights = (const uint8_t *)own + axis->weights_at;
    return own->wide ? ((const int32_t *)weights)[at] : ((const int16_t *)weights)[at];
}

/* Returns the position of a sample. Beyond the edge, where an even number of weights ends, it is
 * the last sample, with weight 0. */
IMG_HOST_DEVICE int32_t img_resize_place(const ImgResizeAxis *axis, int32_t first, int32_t k)
{
    return first + k < axis->span.src ? first + k : axis->span.src - 1;
}

/* Returns the source sample that new sample `i` copies, for resizes without sums. */
IMG_HOST_DEVICE int32_t img_resize_copied(const ImgResize *own, const ImgResizeAxis *axis,
                                          int32_t i)
{
    return img_resize_first(own, axis)[i] + (img_resize_weight(own, axis, i, 0) == 0);
}

IMG_HOST_DEVICE int64_t img_resize_round(int64_t sum, int32_t places)
{
    return (sum + ((int64_t)1 << (places - 1))) >> places;
}

/* Converts a sample of a colour to the value that is summed. */
IMG_HOST_DEVICE uint32_t img_resize_light(const ImgResize *own, uint32_t sample)
{
    const void *light = (const uint8_t *)own + own->light_at;
    return own->linear ? ((const uint32_t *)light)[sample] : sample;
}

/* Converts a value up to `top` back to a sample. */
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

/* Returns u - zero, for channel c of a pixel. */
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

/* Returns the colour whose product with alpha is `color`, from 0 to maximum. Sums may overshoot.
 * Alpha is not clamped before, so that a picture of one colour stays one. */
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

/* In resize_strips.c. Return the most source columns that IMG_RESIZE_TILE new ones use, and the
 * bytes of a tile of 8 rows of them. */
int64_t img_resize_tile_columns(const ImgResize *own);
size_t img_resize_tile_bytes(const ImgResize *own);
/* The first returns true if the fast CUDA kernel applies: sums as products of bytes, and windows
 * that fit the shared memory of GPUs from sm_90 on. The second returns true if they fit that of all
 * GPUs. */
bool img_resize_is_for_strips(const ImgResize *own);
bool img_resize_has_small_strips(const ImgResize *own);

ImgStatus img_resize_reference(const ImgCall *call, ImgError *err);
/* Implements ImgOp.scratch, for the CPU. */
uint64_t img_resize_scratch(ImgShape src, const void *params, int threads);
ImgStatus img_resize_cpu(const ImgCall *call, ImgError *err);
ImgStatus img_resize_cpu_neon(const ImgCall *call, ImgError *err);
ImgStatus img_resize_cpu_avx2(const ImgCall *call, ImgError *err);
ImgStatus img_resize_cpu_avx512(const ImgCall *call, ImgError *err);
/* In resize_by_rows.c: members of ImgByRows. */
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
/* Requires tiles that fit IMG_RESIZE_TILE_BYTES. */
ImgStatus img_resize_cuda_tiled(const ImgCall *call, ImgError *err);
/* Requires img_resize_is_for_strips. Needs the workspace of the separable version unless
 * img_resize_has_small_strips. */
ImgStatus img_resize_cuda_fast(const ImgCall *call, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
