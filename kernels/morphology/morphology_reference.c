/* Reference implementation of the morphology family in plain C, with which all other
 * implementations must agree. The minimum over a rectangle is the minimum of the minima over its
 * rows. The minimum of a row is found by comparing all its samples. */
#include <stdlib.h>

#include "kernels/core/sample.h"
#include "kernels/morphology/morphology.h"

/* Direction of windows: along rows or down columns. It has the size of the picture and the reach of
 * the windows in this direction, in pixels. */
typedef struct Axis {
    int32_t size, before, after, border;
    size_t step; /* distance in bytes between successive samples of the same channel */
} Axis;

typedef struct Line {
    uint16_t *around; /* samples of a row or column, including those beyond its ends */
    uint16_t *result;
} Line;

static void load_line(const Axis *axis, const uint8_t *samples, int bits, uint16_t background,
                      uint16_t *around)
{
    for (int64_t i = -axis->before; i < (int64_t)axis->size + axis->after; i++) {
        const int32_t place = img_border_place(i, axis->size, axis->border);
        const uint8_t *at = samples + (size_t)(place < 0 ? 0 : place) * axis->step;
        around[i + axis->before] = place < 0 ? background : (uint16_t)img_sample(at, 0, bits);
    }
}

static void extremes(const uint16_t *restrict around, int32_t size, int32_t window, bool is_maximum,
                     uint16_t *restrict result)
{
    for (int32_t i = 0; i < size; i++)
        result[i] = around[i];
    for (int32_t k = 1; k < window; k++) {
        const uint16_t *restrict next = around + k;
        if (is_maximum)
            for (int32_t i = 0; i < size; i++)
                result[i] = result[i] > next[i] ? result[i] : next[i];
        else
            for (int32_t i = 0; i < size; i++)
                result[i] = result[i] < next[i] ? result[i] : next[i];
    }
}

/* Processes one channel of a row or column. `from` and `to` may be the same address. */
static void change_line(const Axis *axis, const ImgMorphologyStep *step, int channel, int bits,
                        const uint8_t *from, uint8_t *to, Line line)
{
    load_line(axis, from, bits, step->background[channel], line.around);
    extremes(line.around, axis->size, axis->before + axis->after + 1, step->is_maximum != 0,
             line.result);
    for (int32_t i = 0; i < axis->size; i++)
        img_sample_set(to + (size_t)i * axis->step, 0, bits, line.result[i]);
}

static void change(const ImgMorphologyStep *step, const ImgView *src, const ImgView *dst, Line line)
{
    const int bits = src->format.bits, channels = img_format_channels(src->format);
    const size_t pixel = img_format_pixel_size(src->format), sample = pixel / (size_t)channels;
    const Axis across = {src->width, step->left, step->right, step->border, pixel};
    const Axis down = {src->height, step->up, step->down, step->border, dst->stride};
    for (int32_t y = 0; y < src->height; y++)
        for (int c = 0; c < channels; c++)
            change_line(&across, step, c, bits,
                        src->data + (size_t)y * src->stride + (size_t)c * sample,
                        dst->data + (size_t)y * dst->stride + (size_t)c * sample, line);
    for (int32_t x = 0; x < src->width; x++)
        for (int c = 0; c < channels; c++) {
            uint8_t *top = dst->data + (size_t)x * pixel + (size_t)c * sample;
            change_line(&down, step, c, bits, top, top, line);
        }
}

static ImgStatus run(const ImgCall *call, const void *variant, ImgError *err)
{
    (void)variant;
    const ImgMorphology all = img_morphology(call->op, img_view_shape(&call->src), call->params);
    const int32_t width = call->src.width, height = call->src.height;
    const size_t longest = (size_t)(width > height ? width : height);
    Line line = {.around = calloc(longest + IMG_MORPHOLOGY_SIDE_MAX, sizeof *line.around),
                 .result = calloc(longest, sizeof *line.result)};
    ImgStatus status = line.around != NULL && line.result != NULL
                           ? IMG_OK
                           : img_fail(err, IMG_E_MEMORY, "no memory");
    for (int32_t i = 0; status == IMG_OK && i < all.count; i++)
        change(&all.steps[i], i == 0 ? &call->src : &call->dst, &call->dst, line);
    free(line.around);
    free(line.result);
    return status;
}

ImgStatus img_morphology_reference(const ImgCall *call, ImgError *err)
{
    return img_prepass_cpu(img_morphology_prepass(call->op), call, run, NULL, err);
}
