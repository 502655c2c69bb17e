/* Reference implementation of median in plain C. It counts how often each value occurs in the
 * window. When the window moves along a row, one column of samples enters it and another leaves
 * it. */
#include <stdlib.h>

#include "kernels/core/sample.h"
#include "kernels/median/median.h"

enum { VALUES = 1 << 16, GROUP = 1 << 8 };

typedef struct Window {
    const ImgView *src;
    int32_t radius, border;
    size_t channels, channel;
    uint16_t background[4];
    uint32_t *counts; /* count of each value in the window; all zero between rows */
    /* sums of GROUP neighbouring counts each, which make the search faster */
    uint32_t groups[VALUES / GROUP];
} Window;

static uint32_t sample_at(const Window *window, int64_t x, int64_t y)
{
    const ImgView *src = window->src;
    const int32_t column = img_border_place(x, src->width, window->border);
    const int32_t row = img_border_place(y, src->height, window->border);
    if (column < 0 || row < 0)
        return window->background[window->channel];
    return img_sample(src->data + (size_t)row * src->stride,
                      (size_t)column * window->channels + window->channel, src->format.bits);
}

/* Counts a column of the window around row `y`. `by` is 1 if the column enters the window, and -1
 * (in unsigned arithmetic) if it leaves it. */
static void count_column(Window *window, int64_t x, int64_t y, uint32_t by)
{
    for (int64_t row = y - window->radius; row <= y + window->radius; row++) {
        const uint32_t value = sample_at(window, x, row);
        window->counts[value] += by;
        window->groups[value / GROUP] += by;
    }
}

/* Returns the median of the window, the middle sample in sorted order. */
static uint32_t middle(const Window *window)
{
    const uint32_t side = 2 * (uint32_t)window->radius + 1;
    uint32_t before = side * side / 2, value = 0;
    while (window->groups[value / GROUP] <= before) {
        before -= window->groups[value / GROUP];
        value += GROUP;
    }
    while (window->counts[value] <= before)
        before -= window->counts[value++];
    return value;
}

static void filter_row(Window *window, const ImgView *dst, int32_t y)
{
    const int32_t radius = window->radius;
    for (int64_t x = -radius; x < radius; x++)
        count_column(window, x, y, 1);
    for (int64_t x = 0; x < dst->width; x++) {
        count_column(window, x + radius, y, 1);
        img_sample_set(dst->data + (size_t)y * dst->stride,
                       (size_t)x * window->channels + window->channel, dst->format.bits,
                       middle(window));
        count_column(window, x - radius, y, UINT32_MAX);
    }
    for (int64_t x = dst->width - radius; x < (int64_t)dst->width + radius; x++)
        count_column(window, x, y, UINT32_MAX);
}

static ImgStatus run(const ImgCall *call, const void *variant, ImgError *err)
{
    (void)variant;
    const ImgMedianParams *own = call->params;
    Window window = {.src = &call->src,
                     .radius = own->radius,
                     .border = own->border.border,
                     .channels = (size_t)img_format_channels(call->src.format),
                     .counts = calloc(VALUES, sizeof *window.counts)};
    if (window.counts == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    img_border_samples(call->src.format, &own->border, window.background);
    for (; window.channel < window.channels; window.channel++)
        for (int32_t y = 0; y < call->dst.height; y++)
            filter_row(&window, &call->dst, y);
    free(window.counts);
    return IMG_OK;
}

ImgStatus img_median_reference(const ImgCall *call, ImgError *err)
{
    return img_prepass_cpu(IMG_PREPASS_CLEAR, call, run, NULL, err);
}
