/* Sums and rearrangement of rows for the Gaussian on the CPU (gaussian_cpu.h). */
#include "kernels/blur/gaussian_cpu.h"

#include <string.h>

enum { TAPS_MAX = IMG_SPLINE_TAPS * IMG_GAUSSIAN_FACTOR };

/* --- Downwards -------------------------------------------------------------------------------- */

static const uint8_t *source_row(const ImgSourceRows *source, int64_t y)
{
    const int32_t place = img_border_place(y, source->view->height, source->gaussian->border);
    return place < 0 ? NULL : source->view->data + (size_t)place * source->view->stride;
}

static int16_t *ring_row(const ImgSourceRows *source, int64_t y)
{
    const int64_t slot = y % source->kept;
    const size_t samples = (size_t)source->view->width * (size_t)source->lift->channels;
    return source->ring + (size_t)(slot < 0 ? slot + source->kept : slot) * samples;
}

static void fill_ring(ImgSourceRows *source, int64_t first, int64_t end)
{
    const int32_t width = source->view->width;
    for (int64_t y = source->next > first ? source->next : first; y < end; y++) {
        const uint8_t *row = source_row(source, y);
        if (row != NULL)
            source->rows->lift(source->lift, row, ring_row(source, y), width);
        else
            memcpy(ring_row(source, y), source->background,
                   (size_t)width * (size_t)source->lift->channels * sizeof(int16_t));
    }
    source->next = end;
}

void img_source_weigh(ImgSourceRows *source, int64_t first, const int16_t *weights, int32_t count,
                      int16_t *to)
{
    const void *rows[TAPS_MAX];
    const size_t samples = (size_t)source->view->width * (size_t)source->lift->channels;
    const bool is_narrow = source->ring == NULL && source->lift->bits == 8;
    ImgTaps taps = {rows, weights, count, IMG_WEIGHT_PLACES - (is_narrow ? IMG_LIFT_PLACES : 0), 0};
    const int32_t used = weights[count - 1] == 0 ? count - 1 : count;
    if (source->ring != NULL)
        fill_ring(source, first, first + used);
    for (int32_t k = 0; k < count; k++) {
        const int64_t y = first + (k < used ? k : used - 1);
        rows[k] = source->ring != NULL ? (const void *)ring_row(source, y) : source_row(source, y);
    }
    if (source->ring != NULL)
        source->rows->weigh_lifted(&taps, to, samples);
    else if (is_narrow)
        source->rows->weigh_bytes(&taps, to, samples);
    else
        source->rows->weigh_words(&taps, to, samples);
}

void img_weigh_rows(const ImgWindowRows *rows, const int16_t *from, size_t stride,
                    const int16_t *weights, int32_t count, int16_t *to, size_t samples)
{
    const void *places[TAPS_MAX];
    const int32_t used = weights[count - 1] == 0 ? count - 1 : count;
    for (int32_t k = 0; k < count; k++)
        places[k] = from + (size_t)(k < used ? k : used - 1) * stride;
    const ImgTaps taps = {places, weights, count, IMG_WEIGHT_PLACES, 0};
    rows->weigh_lifted(&taps, to, samples);
}

/* --- Across ----------------------------------------------------------------------------------- */

static void pad_pixels(const ImgGaussian *gaussian, int32_t channels, int16_t *row, int32_t width,
                       int64_t first, int64_t end)
{
    const size_t pixel = (size_t)channels * sizeof(int16_t);
    for (int64_t x = first; x < end; x++) {
        const int32_t place = img_border_place(x, width, gaussian->border);
        memcpy(row + x * channels,
               place < 0 ? gaussian->background : row + (ptrdiff_t)place * channels, pixel);
    }
}

void img_pad_row(const ImgGaussian *gaussian, int32_t channels, int16_t *row, int32_t width,
                 int64_t left, int64_t right)
{
    pad_pixels(gaussian, channels, row, width, -left, 0);
    pad_pixels(gaussian, channels, row, width, width, width + right);
}

/* Defines functions that split and join groups of pixels. The pixel size is constant, so that
 * copying a pixel takes only one or two instructions. */
#define GROUPS(channels)                                                                           \
    static void split_##channels(const int16_t *from, int32_t factor, int64_t groups, int16_t *to, \
                                 size_t stride)                                                    \
    {                                                                                              \
        for (int32_t place = 0; place < factor; place++)                                           \
            for (int64_t g = 0; g < groups; g++)                                                   \
                memcpy(to + (size_t)place * stride + g * (channels),                               \
                       from + (g * factor + place) * (channels), 2 * (channels));                  \
    }                                                                                              \
    static void join_##channels(const int16_t *from, size_t stride, int32_t factor,                \
                                int64_t pixels, int16_t *to)                                       \
    {                                                                                              \
        for (int32_t place = 0; place < factor; place++)                                           \
            for (int64_t g = 0; g * factor + place < pixels; g++)                                  \
                memcpy(to + (g * factor + place) * (channels),                                     \
                       from + (size_t)place * stride + g * (channels), 2 * (channels));            \
    }

GROUPS(1)
GROUPS(2)
GROUPS(3)
GROUPS(4)

void img_split_groups(const int16_t *from, int32_t channels, int32_t factor, int64_t groups,
                      int16_t *to, size_t stride)
{
    if (channels == 1)
        split_1(from, factor, groups, to, stride);
    else if (channels == 2)
        split_2(from, factor, groups, to, stride);
    else if (channels == 3)
        split_3(from, factor, groups, to, stride);
    else
        split_4(from, factor, groups, to, stride);
}

void img_join_groups(const int16_t *from, size_t stride, int32_t channels, int32_t factor,
                     int64_t pixels, int16_t *to)
{
    if (channels == 1)
        join_1(from, stride, factor, pixels, to);
    else if (channels == 2)
        join_2(from, stride, factor, pixels, to);
    else if (channels == 3)
        join_3(from, stride, factor, pixels, to);
    else
        join_4(from, stride, factor, pixels, to);
}
