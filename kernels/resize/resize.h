/* Private to resize: its parameters, its geometry, and its arithmetic.
 *
 * Geometry. Pixel centres are at half integers, and the corners of both pictures coincide. Along an
 * axis, `src` source samples become `full` new samples. New sample i is at the source position
 * (2 i + 1) src / (2 full) - 1/2, an exact fraction. Its value is the weighted sum of the source
 * samples around that position. The filter determines the weights (resize/filter.h); if the
 * picture shrinks, the filter is widened by src / full. The weight of the box filter is the part of
 * each source sample that the new sample covers. Samples beyond the edges have the value of the
 * nearest sample inside.
 *
 * Arithmetic. Vertical sums are computed first, then horizontal sums of these. The picture between
 * the two is called the middle. All numbers are integers. Each sample has a value u in the sums.
 * Without alpha, u is the sample. With alpha, u is colour times alpha, and alpha times the maximum.
 * A weight w is a multiple of 2^-places. With --linear, colours are first converted to linear
 * light: 8-bit samples to 16 bits, 16-bit samples to 22 bits (resize_light.c). "To lift" a sample
 * means to compute u - zero.
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
 *             zero 0; fraction = 28 - bits of a colour - bits of alpha: from 20 for 8 bits
 *             without alpha to -10 for 16-bit linear light with alpha
 *
 * If there are very many weights, each is only a few multiples of 2^-22, or less than one.
 * Therefore running sums of weights are rounded instead of single weights (img_filter_round).
 * Weighted sums are rounded to nearest, ties up. tests/unit/test_resize.c has the largest errors of
 * results. */
#ifndef IMGTOOL_KERNELS_RESIZE_RESIZE_H
#define IMGTOOL_KERNELS_RESIZE_RESIZE_H

#include "kernels/canvas/canvas.h"
#include "kernels/core/cuda/host_device.h"
#include "kernels/core/cuda/textbook.h"
#include "kernels/core/op.h"
#include "kernels/core/sample.h"
#include "kernels/resize/filter.h"
#include "kernels/window/border.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The rows of the result that a call computes (ImgOp.bands.part), in pixels. If all numbers are 0,
 * the call computes the whole result. */
typedef struct ImgResizeRange {
    int32_t height; /* height of the whole source */
    int32_t y;      /* row of the whole source at which the call's source begins; even */
    /* the scaled rows that the call computes: index of the first one, counted from the first scaled
     * row that the whole result shows, and their number */
    int32_t first, count;
    int32_t above, below; /* rows of margin above and below the scaled rows */
} ImgResizeRange;

typedef struct ImgResizeParams {
    ImgSize size;
    int32_t fit, gravity, only, filter, linear;
    /* transfer function of the samples, a value of ImgFacts.light; bind_light sets it */
    int32_t light;
    /* background for `--fit contain`; its border mode is not used, because margins are always
     * constant */
    ImgBorderParams around;
    ImgResizeRange part; /* set by ImgOp.bands.part; the user cannot set it */
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

/* Geometry along one axis, in pixels. `src` source samples are scaled to `full` new samples. Only
 * `count` of the new samples are computed, from index `skip` on. They are placed in the result from
 * position `at` on. */
typedef struct ImgResizeSpan {
    int32_t src, full, skip, count, at;
} ImgResizeSpan;

typedef struct ImgResizeGeometry {
    ImgResizeSpan across, down;
    int32_t width, height; /* size of the result in pixels */
} ImgResizeGeometry;

/* Compute the geometry for a picture of `width` x `height` pixels. Return false if a side of the
 * result would exceed the limit of pictures. If the call computes only a part of the result
 * (ImgOp.bands.part), img_resize_geometry returns the geometry of this part, and
 * img_resize_whole_geometry the geometry of the whole result. */
bool img_resize_geometry(const ImgResizeParams *params, int32_t width, int32_t height,
                         ImgResizeGeometry *geometry);
bool img_resize_whole_geometry(const ImgResizeParams *params, int32_t width, int32_t height,
                               ImgResizeGeometry *geometry);

/* Returns the vertical geometry of a part (ImgOp.bands.part), whose source has `height` rows.
 * `down` is the vertical geometry of the whole picture. */
ImgResizeSpan img_resize_part_span(ImgResizeSpan down, const ImgResizeRange *part, int32_t height);

/* --- Margins of another format ---------------------------------------------------------------- */

/* Returns the format of the result. If the result has margins, this is the format that
 * img_border_format returns. (In resize_margins.c, like all functions up to img_resize_run_cpu.) */
ImgFormat img_resize_format(const ImgResizeParams *params, ImgShape src);

/* Returns true if the whole result has margins, or if the picture's size is not known yet (0). */
bool img_resize_has_margins(const ImgResizeParams *params, ImgShape src);

/* Returns true if the margins need colours or alpha that the picture does not have. In that case
 * the picture is scaled without margins, and copied to its position between the margins afterwards.
 * The constants of the call are then for the resize without margins. */
bool img_resize_is_apart(const ImgResizeParams *params, ImgShape src);

/* Returns the shape of the scaled picture without its margins, in the format of the source. */
ImgShape img_resize_inner_shape(const ImgResizeParams *params, ImgShape src);

/* Return the size in bytes of the scaled picture without margins, or 0 if it needs no separate
 * memory. img_resize_inner_bytes counts memory for ImgOp.cost.scratch; img_resize_inner_workspace
 * counts device memory at the start of the workspace. */
uint64_t img_resize_inner_bytes(const ImgResizeParams *params, ImgShape src);
size_t img_resize_inner_workspace(const ImgResizeParams *params, ImgShape src);

/* Returns the position of the scaled picture in the result, as a canvas. */
ImgCanvas img_resize_canvas(const ImgCall *call);

/* Copies the scaled picture `inner` to its position in the result and fills the margins. If
 * `is_reference` is true, it uses the reference implementation of canvases. */
ImgStatus img_resize_put_inner(const ImgCall *call, const ImgView *inner, bool is_reference);

/* If img_resize_is_apart is true, call `run` for the scaled picture without margins and then add
 * the margins. Otherwise call `run` with `call` unchanged. */
ImgStatus img_resize_run_cpu(const ImgCall *call, ImgRunFunction *run, bool is_reference,
                             ImgError *err);
ImgStatus img_resize_run_cuda(const ImgCall *call, ImgRunFunction *run, ImgError *err);

/* --- Constants -------------------------------------------------------------------------------- */

enum {
    /* longest side of a picture in pixels: twice this number of weights must fit int32_t */
    IMG_RESIZE_LONGEST = INT32_MAX / 2,
    IMG_RESIZE_NARROW_TAPS = 1024, /* largest number of weights per new sample for narrow sums */
    IMG_RESIZE_NAIVE_TAPS = 4096,
    IMG_RESIZE_WIDE_PLACES = 22,
    /* width in bits of the largest rounded vertical sum, if sums are wide (64 bits) */
    IMG_RESIZE_MIDDLE_BITS = 28,
    IMG_RESIZE_LIGHT_BITS_OF_8 = 16,
    IMG_RESIZE_LIGHT_BITS_OF_16 = 22,
    IMG_RESIZE_TILE = 32, /* columns in a tile on CUDA; a tile has 8 rows */
    IMG_RESIZE_TILE_BYTES = 49152,
};

/* Geometry and weights of one axis. Members that end in `_at` are offsets in bytes from the start
 * of the ImgResize. */
typedef struct ImgResizeAxis {
    ImgResizeSpan span;
    int32_t places;
    int32_t taps; /* number of weights per new sample, made even by a zero */
    /* offset of int32_t[count]: for each new sample the first source sample with a weight, an even
     * number */
    size_t first_at;
    /* offset of the weights: int16_t[count * taps], or int32_t[count * taps] for wide sums */
    size_t weights_at;
} ImgResizeAxis;

typedef struct ImgResize {
    ImgResizeAxis across, down;
    int32_t width, height; /* size of the result in pixels */
    int32_t copies;        /* not 0: each result pixel is a copy of a source pixel, without sums */
    int32_t wide, zero, fraction;
    int32_t channels, has_alpha, bits; /* format of the result in memory; `bits` is 8 or 16 */
    /* factor that converts samples of fewer than 8 bits to 8 bits; 1 if they keep their bits */
    uint32_t scale;
    int32_t linear;          /* not 0: colours are summed as linear light */
    uint32_t top, alpha_top; /* largest value of a colour in sums; largest alpha */
    /* offset of uint32_t[alpha_top + 1]: the linear light of each sample */
    size_t light_at;
    /* Offset of the table that converts linear light to samples. For 8 bits it is uint8_t[top + 1]:
     * the sample for each value of linear light. For 16 bits it is uint32_t[65536], which is
     * searched: the smallest value of linear light that is converted to each sample. */
    size_t codes_at;
    uint16_t background[4];
} ImgResize;

/* Returns the description of a resize without its weights. The members for offsets of tables and
 * for the fractional bits of weights are not set. (In resize_weights.c, like
 * img_resize_constants_bytes and img_resize_make.) */
ImgResize img_resize_describe(const ImgResizeParams *params, ImgShape src);
uint64_t img_resize_constants_bytes(ImgShape src, const void *params);
ImgStatus img_resize_make(const ImgResizeParams *params, ImgShape src, ImgConstants *constants,
                          ImgError *err);

/* Returns the source rows on which the scaled rows `rows` depend, from an even row on. Scaled rows
 * are counted from the first one that the result shows. `down` is the vertical geometry of the
 * whole picture. */
ImgRows img_resize_rows(const ImgResizeParams *params, const ImgResizeSpan *down, ImgRows rows);

/* Implements ImgOp.bands.part_constants. */
ImgStatus img_resize_part_constants(ImgShape src, const ImgPart *part, const ImgConstants *whole,
                                    ImgConstants *constants, ImgError *err);

/* img_resize_lay_light reserves the tables of linear light in a block of `size` bytes and returns
 * the new size of the block. img_resize_make_light fills the tables; `light` is an ImgFacts.light.
 * (In resize_light.c.) */
size_t img_resize_lay_light(ImgResize *own, size_t size);
void img_resize_make_light(ImgResize *own, int32_t light);

/* --- Shared by all implementations ------------------------------------------------------------ */

IMG_HOST_DEVICE const int32_t *img_resize_first(const ImgResize *own, const ImgResizeAxis *axis)
{
    return (const int32_t *)(const void *)((const uint8_t *)own + axis->first_at);
}

/* Returns weight `k` of new sample `i`, counted from the first new sample that is computed. */
IMG_HOST_DEVICE int32_t img_resize_weight(const ImgResize *own, const ImgResizeAxis *axis,
                                          int32_t i, int32_t k)
{
    const size_t at = (size_t)i * (size_t)axis->taps + (size_t)k;
    const void *weights = (const uint8_t *)own + axis->weights_at;
    return own->wide ? ((const int32_t *)weights)[at] : ((const int16_t *)weights)[at];
}

/* Returns the position of the source sample for weight `k`, where weight 0 belongs to sample
 * `first`. If the position is past the edge, returns the last sample; its weight `k` is 0. */
IMG_HOST_DEVICE int32_t img_resize_place(const ImgResizeAxis *axis, int32_t first, int32_t k)
{
    return first + k < axis->span.src ? first + k : axis->span.src - 1;
}

/* Returns the position of the source sample that new sample `i` copies. Supports only resizes
 * without sums. */
IMG_HOST_DEVICE int32_t img_resize_copied(const ImgResize *own, const ImgResizeAxis *axis,
                                          int32_t i)
{
    return img_resize_first(own, axis)[i] + (img_resize_weight(own, axis, i, 0) == 0);
}

IMG_HOST_DEVICE int64_t img_resize_round(int64_t sum, int32_t places)
{
    return (sum + ((int64_t)1 << (places - 1))) >> places;
}

/* Returns the value of a colour sample in sums: its linear light, or the sample itself. */
IMG_HOST_DEVICE uint32_t img_resize_light(const ImgResize *own, uint32_t sample)
{
    const void *light = (const uint8_t *)own + own->light_at;
    return own->linear ? ((const uint32_t *)light)[sample] : sample;
}

/* Returns the sample for a value from 0 to `top`, which is linear light or the sample itself. */
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

/* Returns the value that is summed for channel c of a pixel: u - zero, as defined at the head of
 * this file. */
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

/* Converts the sums `value` of all channels to the samples of a pixel of the result. Colours are 0
 * if alpha is 0. */
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

/* img_resize_tile_columns returns the largest number of source columns that IMG_RESIZE_TILE new
 * columns need. img_resize_tile_bytes returns the size in bytes of 8 rows of these columns. (In
 * resize_strips.c.) */
int64_t img_resize_tile_columns(const ImgResize *own);
size_t img_resize_tile_bytes(const ImgResize *own);
/* img_resize_is_for_strips returns true if the fast CUDA kernel applies. It does if products of
 * bytes give exact sums, and if source windows fit in the shared memory of GPUs from sm_90 on.
 * img_resize_has_small_strips returns true if source windows fit in the shared memory of all GPUs.
 */
bool img_resize_is_for_strips(const ImgResize *own);
bool img_resize_has_small_strips(const ImgResize *own);

ImgStatus img_resize_reference(const ImgCall *call, ImgError *err);
/* Returns the memory in bytes that the CPU implementations allocate with `threads` threads
 * (ImgOp.cost.scratch). */
uint64_t img_resize_scratch(ImgShape src, const void *params, int threads);
IMG_CPU_RUNS(img_resize_cpu);
/* Functions for the members of ImgByRows: the memory in bytes, and the resize while rows arrive.
 * (In resize_by_rows.c.) */
uint64_t img_resize_by_rows_bytes(ImgShape src, const void *params);
ImgStatus img_resize_by_rows(const ImgCall *call, void **state, ImgError *err);
ImgStatus img_resize_by_rows_avx2(const ImgCall *call, void **state, ImgError *err);
ImgStatus img_resize_by_rows_avx512(const ImgCall *call, void **state, ImgError *err);
void img_resize_by_rows_take(void *state, const ImgView *rows, int32_t first);
void img_resize_by_rows_end(void *state);
/* Supports at most IMG_RESIZE_NAIVE_TAPS source pixels per result pixel. Fills margins itself, as
 * if img_resize_run_cuda had called it. */
IMG_TEXTBOOK ImgStatus img_resize_cuda_naive(const ImgCall *call, ImgError *err);
ImgStatus img_resize_cuda_separable(const ImgCall *call, ImgError *err);
/* Supports only pictures for which img_resize_tile_bytes is at most IMG_RESIZE_TILE_BYTES. */
ImgStatus img_resize_cuda_tiled(const ImgCall *call, ImgError *err);
/* For many small pictures. Supports the pictures that the tiled version supports, if they have no
 * margins of another format than the picture. img_resize_cuda_run_many is for ImgManyRun.run. */
enum { IMG_RESIZE_MANY_BYTES = 128 }; /* largest size of the description of a call in bytes */
ImgStatus img_resize_cuda_many(const ImgCall *call, ImgError *err);
ImgStatus img_resize_cuda_run_many(const ImgCall *calls, size_t count, const ImgManyRoom *room,
                                   ImgError *err);
/* Supports only pictures for which img_resize_is_for_strips is true. Needs the workspace of the
 * separable version, unless img_resize_has_small_strips is true. */
ImgStatus img_resize_cuda_fast(const ImgCall *call, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
