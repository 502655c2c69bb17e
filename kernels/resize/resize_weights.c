/* Computes the weights of both axes, once for each resize in a pipeline and each size of
 * picture. */
#include <stdlib.h>
#include <string.h>

#include "kernels/resize/resize.h"
#include "kernels/window/border.h"

__extension__ typedef __int128 Wide;

/* Range of source samples from `first` to `end` - 1. It may extend beyond the edges of the
 * picture. */
typedef struct Reach {
    int64_t first, end;
} Reach;

/* Parameters and buffer for computing the weights along one axis. */
typedef struct Weighing {
    ImgFilter filter;
    const ImgResizeSpan *span;
    /* buffer for the weights of one new sample, one for each source sample inside the picture */
    int64_t *parts;
} Weighing;

/* Returns numerator / denominator, rounded down. It divides 64-bit numbers if possible, because a
 * 128-bit division is a library call. */
static int64_t floor_divide(Wide numerator, Wide denominator)
{
    if (numerator == (int64_t)numerator && denominator == (int64_t)denominator) {
        const int64_t top = (int64_t)numerator, bottom = (int64_t)denominator;
        return top / bottom - (top % bottom < 0);
    }
    const Wide quotient = numerator / denominator;
    return (int64_t)(quotient - (numerator % denominator < 0));
}

static bool takes_one(const Weighing *weighing)
{
    return weighing->filter == IMG_FILTER_NEAREST || weighing->span->src == weighing->span->full;
}

/* Returns the range of source samples that have a weight in new sample `i`. `i` counts from the
 * start of the scaled axis, including samples that are not computed. */
static Reach reach_of(const Weighing *weighing, int64_t i)
{
    const Wide src = weighing->span->src, full = weighing->span->full;
    const Wide twice = 2 * full, middle = (2 * (Wide)i + 1) * src;
    if (takes_one(weighing)) {
        const int64_t one = floor_divide(middle, twice);
        return (Reach){one, one + 1};
    }
    if (weighing->filter == IMG_FILTER_BOX)
        return (Reach){floor_divide(i * src, full), floor_divide((i + 1) * src + full - 1, full)};
    const Wide half = img_filter_reach(weighing->filter) * (src > full ? src : full);
    return (Reach){floor_divide(middle - half - full, twice) + 1,
                   floor_divide(middle + half - full + twice - 1, twice)};
}

/* Returns the weight of source sample `k` in new sample `i`, before it is rounded and scaled. */
static int64_t part_of(const Weighing *weighing, int64_t i, int64_t k)
{
    const int64_t src = weighing->span->src, full = weighing->span->full;
    if (takes_one(weighing))
        return 1;
    if (weighing->filter == IMG_FILTER_BOX) {
        const Wide first = (Wide)i * src, end = first + src;
        const Wide own = (Wide)k * full, own_end = own + full;
        return (int64_t)((end < own_end ? end : own_end) - (first > own ? first : own));
    }
    const Wide distance = (2 * (Wide)k + 1) * full - (2 * (Wide)i + 1) * src;
    return img_filter_weight(weighing->filter, (uint64_t)(distance < 0 ? -distance : distance),
                             2 * (uint64_t)(src > full ? src : full));
}

static int64_t inside(const Weighing *weighing, int64_t k)
{
    return k < 0 ? 0 : k < weighing->span->src ? k : weighing->span->src - 1;
}

/* Returns the first source sample of new sample `i`, rounded down to an even number, so that loops
 * can process two weights at a time. */
static int32_t first_of(const Weighing *weighing, int64_t i)
{
    return (int32_t)(inside(weighing, reach_of(weighing, i).first) & ~INT64_C(1));
}

static int64_t first_made(const Weighing *weighing, int64_t n)
{
    return first_of(weighing, n + weighing->span->skip);
}

/* Returns the last new sample whose weights begin at the same source sample as the weights of new
 * sample `n`. It searches in growing steps, because one source sample may become two thousand
 * million new samples. */
static int64_t last_alike(const Weighing *weighing, int64_t n)
{
    const int64_t first = first_made(weighing, n);
    int64_t alike = n, step = 1;
    while (alike + step < weighing->span->count && first_made(weighing, alike + step) == first) {
        alike += step;
        step *= 2;
    }
    int64_t other = alike + step < weighing->span->count ? alike + step : weighing->span->count;
    while (other - alike > 1) {
        const int64_t middle = alike + (other - alike) / 2;
        if (first_made(weighing, middle) == first)
            alike = middle;
        else
            other = middle;
    }
    return alike;
}

/* Returns the largest possible number of weights of a new sample, plus one, because weights begin
 * at an even source sample. The window of a filter is an open interval, which contains at most as
 * many samples as its length, rounded up. The window of the box filter may contain one more,
 * because it includes samples that it covers only partly, unless its length is a whole number. */
static int64_t most_taps(const Weighing *weighing)
{
    const int64_t src = weighing->span->src, full = weighing->span->full;
    const int64_t wider = src > full ? src : full;
    int64_t most = 1;
    if (!takes_one(weighing))
        most = weighing->filter == IMG_FILTER_BOX
                   ? (src + full - 1) / full + (src % full != 0)
                   : (img_filter_reach(weighing->filter) * wider + full - 1) / full;
    return most + 1 < src ? most + 1 : src;
}

/* Returns the number of weights to reserve per new sample. It examines only the last of all new
 * samples whose weights begin at the same source sample, because that one extends farthest. */
static int32_t taps_of(const Weighing *weighing)
{
    const ImgResizeSpan *span = weighing->span;
    const int64_t enough = span->count > 0 ? (most_taps(weighing) + 1) / 2 * 2 : 0;
    int64_t taps = 0;
    for (int64_t next = 0; next < span->count && taps < enough;) {
        const int64_t n = last_alike(weighing, next);
        const int64_t last = inside(weighing, reach_of(weighing, n + span->skip).end - 1);
        const int64_t own = (last + 1 - first_made(weighing, n) + 1) / 2 * 2;
        taps = own > taps ? own : taps;
        next = n + 1;
    }
    return (int32_t)taps;
}

/* Computes the axis->taps weights of new sample `i`; the first belongs to source sample `first`.
 * The weights of samples beyond an edge are added to the weight of the sample at this edge. The
 * zeros before and after the window are not passed to img_filter_round: it adjusts weights in the
 * middle, and mirrored pictures must get mirrored weights. */
static void weigh(const Weighing *weighing, int64_t i, const ImgResizeAxis *axis, int32_t first,
                  int32_t *weights)
{
    const Reach reach = reach_of(weighing, i);
    const int64_t begin = inside(weighing, reach.first), last = inside(weighing, reach.end - 1);
    const size_t taps = (size_t)axis->taps;
    memset(weighing->parts, 0, taps * sizeof *weighing->parts);
    memset(weights, 0, taps * sizeof *weights);
    for (int64_t k = reach.first; k < reach.end; k++)
        weighing->parts[inside(weighing, k) - begin] += part_of(weighing, i, k);
    img_filter_round(weighing->parts, (int32_t)(last + 1 - begin), axis->places,
                     weights + (begin - first));
}

/* --- The block -------------------------------------------------------------------------------- */

/* Stores the weights of sample `n` of the result in the table of `own`. Weights of narrow sums are
 * stored in 16 bits; returns false if one does not fit. */
static bool put_weights(ImgResize *own, const ImgResizeAxis *axis, int32_t n,
                        const int32_t *weights)
{
    void *all = (uint8_t *)own + axis->weights_at;
    const size_t at = (size_t)n * (size_t)axis->taps;
    if (own->wide) {
        memcpy((int32_t *)all + at, weights, (size_t)axis->taps * sizeof *weights);
        return true;
    }
    int32_t most = 0;
    for (int32_t k = 0; k < axis->taps; k++) {
        ((int16_t *)all)[at + (size_t)k] = (int16_t)weights[k];
        most = weights[k] > most ? weights[k] : most;
    }
    return most <= INT16_MAX;
}

/* Computes and stores all weights of an axis, with axis->places fractional bits. Returns false if
 * they do not fit in 16 bits. */
static bool fill_axis(const Weighing *weighing, ImgResize *own, const ImgResizeAxis *axis,
                      int32_t *weights)
{
    int32_t *firsts = (int32_t *)(void *)((uint8_t *)own + axis->first_at);
    bool fits = true;
    for (int32_t n = 0; fits && n < axis->span.count; n++) {
        const int64_t i = (int64_t)n + axis->span.skip;
        firsts[n] = first_of(weighing, i);
        weigh(weighing, i, axis, firsts[n], weights);
        fits = put_weights(own, axis, n, weights);
    }
    return fits;
}

static ImgStatus make_axis(ImgFilter filter, ImgResize *own, ImgResizeAxis *axis, ImgError *err)
{
    int64_t *parts = calloc((size_t)axis->taps, sizeof *parts);
    int32_t *weights = calloc((size_t)axis->taps, sizeof *weights);
    ImgStatus status = IMG_OK;
    if (parts == NULL || weights == NULL) {
        status = img_fail(err, IMG_E_MEMORY, "no memory for the weights of a filter");
    } else {
        const Weighing weighing = {filter, &axis->span, parts};
        axis->places = own->wide ? IMG_RESIZE_WIDE_PLACES : 15;
        while (!fill_axis(&weighing, own, axis, weights))
            axis->places--;
    }
    free(parts);
    free(weights);
    return status;
}

/* Reserves the tables of an axis after the first `size` bytes of the block of constants. Returns
 * the new size of the block. */
static size_t lay_axis(ImgResizeAxis *axis, size_t weight_size, size_t size)
{
    enum { ALIGNMENT = 64 };
    const size_t count = (size_t)axis->span.count;
    axis->first_at = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    size = axis->first_at + count * sizeof(int32_t);
    axis->weights_at = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return axis->weights_at + count * (size_t)axis->taps * weight_size;
}

static int32_t light_bits(const ImgResize *own)
{
    if (!own->linear)
        return own->bits;
    return own->bits == 16 ? IMG_RESIZE_LIGHT_BITS_OF_16 : IMG_RESIZE_LIGHT_BITS_OF_8;
}

static int32_t fraction_of(const ImgResize *own)
{
    if (own->wide)
        return IMG_RESIZE_MIDDLE_BITS - light_bits(own) - (own->has_alpha ? own->bits : 0);
    return own->has_alpha || own->linear ? -1 : 7;
}

/* Removes the margins from the geometry, so that the result is the scaled picture alone. */
static void leave_out_margins(ImgResizeGeometry *geometry)
{
    geometry->width = geometry->across.count;
    geometry->height = geometry->down.count;
    geometry->across.at = geometry->down.at = 0;
}

/* Reduces the description of the whole resize to the rows that a part computes (ImgOp.bands.part).
 * The source of the part has the shape `src`. */
static void cut_rows(ImgResize *own, const ImgResizeParams *params, ImgShape src)
{
    const ImgResizeRange *part = &params->part;
    const bool apart = img_resize_is_apart(params, src);
    own->down.span = img_resize_part_span(own->down.span, part, src.height);
    own->down.span.at = apart ? 0 : part->above;
    own->height = apart ? part->count : part->above + part->count + part->below;
}

ImgResize img_resize_describe(const ImgResizeParams *params, ImgShape src)
{
    ImgResize own = {.channels = img_format_channels(src.format),
                     .has_alpha = img_format_has_alpha(src.format),
                     .bits = src.format.bits < 8 ? 8 : src.format.bits,
                     .scale = img_resize_keeps_samples(params) ? 1 : img_window_scale(src.format)};
    ImgResizeGeometry geometry;
    /* This cannot fail, because the `shape` function of the operation has accepted these
     * parameters. */
    (void)img_resize_whole_geometry(params, src.width, src.height, &geometry);
    if (img_resize_is_apart(params, src))
        leave_out_margins(&geometry);
    own.width = geometry.width;
    own.height = geometry.height;
    own.across.span = geometry.across;
    own.down.span = geometry.down;
    const Weighing across = {(ImgFilter)params->filter, &own.across.span, NULL};
    const Weighing down = {(ImgFilter)params->filter, &own.down.span, NULL};
    own.copies = takes_one(&across) && takes_one(&down);
    own.across.taps = taps_of(&across);
    own.down.taps = taps_of(&down);
    own.linear = params->linear && params->light != IMG_LIGHT_LINEAR && !own.copies;
    own.wide = own.bits == 16 || own.across.taps > IMG_RESIZE_NARROW_TAPS ||
               own.down.taps > IMG_RESIZE_NARROW_TAPS || (own.linear && own.has_alpha);
    own.zero = own.wide ? 0 : own.has_alpha || own.linear ? 32768 : 128;
    own.fraction = fraction_of(&own);
    own.top = (UINT32_C(1) << light_bits(&own)) - 1;
    own.alpha_top = own.bits == 16 ? 65535 : 255;
    const ImgFormat format = {src.format.color, own.bits};
    img_border_samples(format, &params->around, own.background);
    if (params->part.height > 0)
        cut_rows(&own, params, src);
    return own;
}

/* Reserves weights and tables in the block of constants. Returns the size of the block in bytes. */
static size_t lay_out(ImgResize *own)
{
    const size_t weight_size = own->wide ? sizeof(int32_t) : sizeof(int16_t);
    size_t size = lay_axis(&own->across, weight_size, sizeof *own);
    size = lay_axis(&own->down, weight_size, size);
    return own->linear ? img_resize_lay_light(own, size) : size;
}

/* Returns the size in bytes of the block of constants and of the buffers that are needed while it
 * is computed. */
uint64_t img_resize_constants_bytes(ImgShape src, const void *params)
{
    ImgResize own = img_resize_describe(params, src);
    const int32_t taps = own.across.taps > own.down.taps ? own.across.taps : own.down.taps;
    return lay_out(&own) + (uint64_t)taps * (sizeof(int64_t) + sizeof(int32_t));
}

ImgStatus img_resize_make(const ImgResizeParams *params, ImgShape src, ImgConstants *constants,
                          ImgError *err)
{
    ImgResize own = img_resize_describe(params, src);
    const size_t size = lay_out(&own);
    ImgResize *block = calloc(1, size);
    if (block == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for %zu bytes of weights", size);
    *block = own;
    *constants = (ImgConstants){block, size};
    if (own.linear)
        img_resize_make_light(block, params->light);
    ImgStatus status = make_axis((ImgFilter)params->filter, block, &block->across, err);
    if (status == IMG_OK)
        status = make_axis((ImgFilter)params->filter, block, &block->down, err);
    if (status != IMG_OK)
        img_constants_free(constants);
    return status;
}

/* --- Parts ------------------------------------------------------------------------------------ */

ImgRows img_resize_rows(const ImgResizeParams *params, const ImgResizeSpan *down, ImgRows rows)
{
    const Weighing weighing = {(ImgFilter)params->filter, down, NULL};
    const int64_t taps = (most_taps(&weighing) + 1) / 2 * 2;
    const int64_t end = first_made(&weighing, rows.end - 1) + taps;
    return (ImgRows){(int32_t)first_made(&weighing, rows.first),
                     end < down->src ? (int32_t)end : down->src};
}

/* Copies the tables of `all` for the new samples from `from` on: the first source sample of each
 * new sample, and the weights. In the copy, source samples are counted from `start` on. */
static void copy_axis(const ImgResize *all, const ImgResizeAxis *axis, int32_t from, int32_t start,
                      ImgResize *own, const ImgResizeAxis *own_axis)
{
    const size_t size = own->wide ? sizeof(int32_t) : sizeof(int16_t);
    const size_t each = size * (size_t)axis->taps, count = (size_t)own_axis->span.count;
    int32_t *firsts = (int32_t *)(void *)((uint8_t *)own + own_axis->first_at);
    for (size_t n = 0; n < count; n++)
        firsts[n] = img_resize_first(all, axis)[(size_t)from + n] - start;
    memcpy((uint8_t *)own + own_axis->weights_at,
           (const uint8_t *)all + axis->weights_at + (size_t)from * each, count * each);
}

ImgStatus img_resize_part_constants(ImgShape src, const ImgPart *part, const ImgConstants *whole,
                                    ImgConstants *constants, ImgError *err)
{
    const ImgResizeParams *params = (const ImgResizeParams *)(const void *)part->params.bytes;
    const ImgResize *all = whole->bytes;
    ImgResize own = *all;
    src.height = part->src.height;
    cut_rows(&own, params, src);
    const size_t size = lay_out(&own);
    ImgResize *block = calloc(1, size);
    if (block == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for %zu bytes of weights", size);
    *block = own;
    *constants = (ImgConstants){block, size};
    copy_axis(all, &all->across, 0, 0, block, &block->across);
    copy_axis(all, &all->down, params->part.first, params->part.y, block, &block->down);
    if (own.linear)
        memcpy((uint8_t *)block + own.light_at, (const uint8_t *)all + all->light_at,
               whole->size - all->light_at);
    return IMG_OK;
}
