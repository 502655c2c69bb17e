/* convolve on the CPU. Each thread processes bands of rows. For each row of the result, a ring
 * buffer holds the source rows that the kernel covers. They are converted to the numbers that are
 * summed, and extended at both ends by pixels beyond the edges. The result is the sum of these
 * rows: each weight of the kernel multiplies a whole row, shifted by the weight's column. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/convolve/convolve.h"
#include "kernels/core/sample.h"
#include "kernels/window/window_rows.h"

/* Room for the weights of a sum: those of the kernel, one for the bias, and zeros that make their
 * number even. */
enum { TAPS_MOST = IMG_KERNEL_WEIGHTS + 3 };

typedef struct Convolution {
    const ImgCall *call;
    const ImgConvolve *own;
    const ImgWindowRows *rows;
    /* bytes per pixel of a row in the ring, and number of samples in a row of the picture */
    size_t pixel, samples;
    size_t pitch;       /* distance between successive rows in the ring, in bytes */
    atomic_bool failed; /* true if a thread could not allocate its buffers */
} Convolution;

/* State and buffers of a thread while it processes a band of rows. */
typedef struct Band {
    const Convolution *convolution;
    /* ring of the source rows that the kernel covers; row y is in slot y modulo the kernel's
     * height */
    uint8_t *ring;
    /* one row of sums each, for all channels and for alpha; `alpha` is used only for
     * IMG_CONVOLVE_ALPHA */
    int16_t *sums, *alpha;
    int64_t next; /* first row that the ring does not contain yet */
    const void *places[TAPS_MOST];
    /* weight of the shifted row that begins at each of `places`, for the sums of colours */
    int16_t weights[TAPS_MOST];
} Band;

/* --- Kept rows -------------------------------------------------------------------------------- */

/* Returns the address, in the ring, of the first pixel of row `y`. Before this pixel, the ring has
 * the pixels that extend the row beyond the left edge. */
static uint8_t *kept_row(const Band *band, int64_t y)
{
    const ImgConvolve *own = band->convolution->own;
    const int64_t slot = y % own->height;
    return band->ring + (size_t)(slot < 0 ? slot + own->height : slot) * band->convolution->pitch +
           (size_t)(own->width / 2) * band->convolution->pixel;
}

static void set_background(const Convolution *convolution, uint8_t *to)
{
    const ImgConvolve *own = convolution->own;
    for (int32_t c = 0; c < own->lift.channels; c++)
        if (own->is_bytes)
            to[c] = (uint8_t)own->background[c];
        else
            memcpy(to + 2 * (size_t)c, &own->background[c], sizeof(int16_t));
}

static void set_beyond(const Convolution *convolution, uint8_t *row, int64_t first, int64_t end)
{
    const ptrdiff_t pixel = (ptrdiff_t)convolution->pixel;
    for (int64_t x = first; x < end; x++) {
        const int32_t place =
            img_border_place(x, convolution->call->src.width, convolution->own->border);
        if (place < 0)
            set_background(convolution, row + x * pixel);
        else
            memcpy(row + x * pixel, row + place * pixel, convolution->pixel);
    }
}

static void keep_row(const Band *band, int64_t y)
{
    const Convolution *convolution = band->convolution;
    const ImgConvolve *own = convolution->own;
    const ImgView *src = &convolution->call->src;
    const int32_t line = img_border_place(y, src->height, own->border), width = src->width;
    uint8_t *row = kept_row(band, y);
    if (line < 0) {
        for (int64_t x = 0; x < width; x++)
            set_background(convolution, row + (size_t)x * convolution->pixel);
    } else {
        const uint8_t *from = src->data + (size_t)line * src->stride;
        if (!own->is_bytes)
            convolution->rows->lift(&own->lift, from, (int16_t *)(void *)row, width);
        else
            for (size_t i = 0; i < convolution->samples; i++)
                row[i] = (uint8_t)(from[i] * own->lift.scale);
    }
    set_beyond(convolution, row, -(own->width / 2), 0);
    set_beyond(convolution, row, width, (int64_t)width + own->width / 2);
}

static void keep_rows(Band *band, int64_t y)
{
    const int32_t reach = band->convolution->own->height / 2;
    for (int64_t line = band->next > y - reach ? band->next : y - reach; line <= y + reach; line++)
        keep_row(band, line);
    band->next = y + reach + 1;
}

/* --- Sums ------------------------------------------------------------------------------------- */

static void sum_rows(const Band *band, const ImgConvolveSum *sum, const int16_t *weights,
                     int32_t count, int16_t *to)
{
    const ImgTaps taps = {band->places, weights, count + count % 2, sum->shift, sum->offset};
    const ImgWindowRows *rows = band->convolution->rows;
    (band->convolution->own->is_bytes ? rows->weigh_bytes
                                      : rows->weigh_lifted)(&taps, to, band->convolution->samples);
}

static void find_places(Band *band, int64_t y)
{
    const ImgConvolve *own = band->convolution->own;
    for (int32_t k = 0; k < own->taps; k++)
        band->places[k] = kept_row(band, y + own->y[k]) +
                          (ptrdiff_t)own->x[k] * (ptrdiff_t)band->convolution->pixel;
    for (int32_t k = own->taps; k < TAPS_MOST; k++)
        band->places[k] = kept_row(band, y);
}

/* Computes the sums of colours and alpha with IMG_CONVOLVE_ALPHA. Alpha comes first, because the
 * bias of a colour is proportional to the result's alpha. */
static void sum_with_alpha(Band *band)
{
    const ImgConvolve *own = band->convolution->own;
    const size_t channels = (size_t)own->lift.channels, samples = band->convolution->samples;
    int16_t *alpha = band->alpha;
    int32_t count = own->taps;
    sum_rows(band, &own->alpha, own->alpha.weights, own->taps, alpha);
    for (size_t i = 0; i < samples; i += channels)
        for (size_t c = 0; c + 1 < channels; c++)
            alpha[i + c] = alpha[i + channels - 1];
    if (own->bias != 0)
        band->places[count++] = alpha;
    sum_rows(band, &own->color, band->weights, count, band->sums);
    for (size_t i = channels - 1; i < samples; i += channels)
        band->sums[i] = alpha[i];
}

/* --- Results ---------------------------------------------------------------------------------- */

/* Converts the sums of row `y` to pixels and stores them. It is used for pictures whose alpha does
 * not change. */
static void store_weighted(const Convolution *convolution, const int16_t *sums, int32_t y)
{
    const ImgView *src = &convolution->call->src, *dst = &convolution->call->dst;
    const ImgLift *lift = &convolution->own->lift;
    const size_t channels = (size_t)lift->channels;
    const uint8_t *from = src->data + (size_t)y * src->stride;
    uint8_t *to = dst->data + (size_t)y * dst->stride;
    for (size_t i = 0; i < convolution->samples; i++)
        img_sample_set(to, i, lift->bits,
                       i % channels + 1 < channels
                           ? img_convolve_weighted(sums[i], lift->bits)
                           : img_sample(from, i, src->format.bits) * lift->scale);
}

static void copy_row(const Convolution *convolution, int32_t y)
{
    const ImgView *src = &convolution->call->src, *dst = &convolution->call->dst;
    const uint8_t *from = src->data + (size_t)y * src->stride;
    uint8_t *to = dst->data + (size_t)y * dst->stride;
    for (size_t i = 0; i < convolution->samples; i++)
        img_sample_set(to, i, dst->format.bits,
                       img_sample(from, i, src->format.bits) * convolution->own->lift.scale);
}

static void convolve_row(Band *band, int32_t y)
{
    const Convolution *convolution = band->convolution;
    const ImgConvolve *own = convolution->own;
    const ImgView *dst = &convolution->call->dst;
    keep_rows(band, y);
    find_places(band, y);
    if (own->way == IMG_CONVOLVE_ALPHA && !own->is_one_sum)
        sum_with_alpha(band);
    else
        sum_rows(band, &own->color, band->weights, own->taps, band->sums);
    if (own->way == IMG_CONVOLVE_KEEP)
        store_weighted(convolution, band->sums, y);
    else
        convolution->rows->lower(&own->lift, band->sums, dst->data + (size_t)y * dst->stride,
                                 dst->width);
}

/* --- Bands ------------------------------------------------------------------------------------ */

static void convolve_band(void *context, int64_t first, int64_t end)
{
    Convolution *convolution = context;
    const ImgConvolve *own = convolution->own;
    const size_t ring = convolution->pitch * (size_t)own->height,
                 row = convolution->samples * sizeof(int16_t);
    Band *band = malloc(sizeof *band);
    uint8_t *memory = malloc(ring + 2 * row);
    if (band == NULL || memory == NULL) {
        atomic_store(&convolution->failed, true);
    } else {
        *band = (Band){.convolution = convolution, .ring = memory + 2 * row, .next = INT64_MIN};
        band->sums = (int16_t *)(void *)memory;
        band->alpha = band->sums + convolution->samples;
        memcpy(band->weights, own->color.weights, (size_t)own->taps * sizeof(int16_t));
        band->weights[own->taps] = (int16_t)own->bias;
        for (int64_t y = first; y < end; y++)
            convolve_row(band, (int32_t)y);
    }
    free(memory);
    free(band);
}

/* Returns the largest number of bytes that all calls of convolve_band together allocate. It assumes
 * one band per thread, although fewer threads may run. */
uint64_t img_convolve_scratch(int32_t width, int32_t height, ImgShape src, int threads)
{
    const uint64_t samples = (uint64_t)src.width * (uint64_t)img_format_channels(src.format);
    const uint64_t pixel = (uint64_t)img_format_channels(src.format) * sizeof(int16_t);
    const uint64_t ring = ((uint64_t)src.width + (uint64_t)width - 1) * pixel * (uint64_t)height;
    const int bands = src.height < threads ? src.height : threads;
    return (ring + 2 * samples * sizeof(int16_t) + sizeof(Band)) * (uint64_t)bands;
}

static void copy_band(void *context, int64_t first, int64_t end)
{
    for (int64_t y = first; y < end; y++)
        copy_row(context, (int32_t)y);
}

static ImgStatus convolve(const ImgCall *call, const ImgWindowRows *rows, ImgError *err)
{
    const ImgConvolve *own = call->constants.bytes;
    const size_t channels = (size_t)own->lift.channels, width = (size_t)call->src.width;
    Convolution convolution = {.call = call,
                               .own = own,
                               .rows = rows,
                               .pixel = channels * (own->is_bytes ? 1 : sizeof(int16_t)),
                               .samples = width * channels};
    convolution.pitch = (width + (size_t)own->width - 1) * convolution.pixel;
    const uint64_t bytes =
        (uint64_t)call->src.height * convolution.samples * (uint64_t)(own->taps + 1);
    img_parallel_for(call->team, bytes < IMG_BYTES_WORTH_THREADS ? 1 : call->threads,
                     call->src.height, own->way == IMG_CONVOLVE_COPY ? copy_band : convolve_band,
                     &convolution);
    if (atomic_load(&convolution.failed))
        return img_fail(err, IMG_E_MEMORY, "no memory for rows of %d pixels", call->src.width);
    return IMG_OK;
}

IMG_DEFINE_CPU_RUNS(img_convolve_cpu, convolve, &img_window_rows)
