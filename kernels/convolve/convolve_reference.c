/* Reference implementation of convolve in plain C. It computes each pixel separately. */
#include "kernels/convolve/convolve.h"
#include "kernels/core/sample.h"

static void load_samples(const ImgView *view, const ImgLift *lift, int32_t x, int32_t y,
                         uint32_t sample[4])
{
    const size_t channels = (size_t)lift->channels;
    for (size_t c = 0; c < channels; c++)
        sample[c] = img_sample(view->data + (size_t)y * view->stride, (size_t)x * channels + c,
                               view->format.bits);
}

/* Loads the pixel (x, y) in the form in which it is summed (img_convolve_load). If it is beyond the
 * edges, the border mode determines its value. */
static void load_at(const ImgView *view, const ImgConvolve *own, int64_t x, int64_t y,
                    int32_t value[4])
{
    const int32_t column = img_border_place(x, view->width, own->border);
    const int32_t line = img_border_place(y, view->height, own->border);
    uint32_t sample[4] = {0, 0, 0, 0};
    if (column >= 0 && line >= 0) {
        load_samples(view, &own->lift, column, line, sample);
        img_convolve_load(own, sample, value);
    } else {
        for (int32_t c = 0; c < own->lift.channels; c++)
            value[c] = own->background[c];
    }
}

static void convolve_at(const ImgCall *call, const ImgConvolve *own, int32_t x, int32_t y)
{
    const int32_t channels = own->lift.channels;
    int32_t sums[4] = {0, 0, 0, 0}, alpha_sum = 0;
    for (int32_t k = 0; k < own->taps; k++) {
        int32_t value[4] = {0, 0, 0, 0};
        load_at(&call->src, own, (int64_t)x + own->x[k], (int64_t)y + own->y[k], value);
        for (int32_t c = 0; c < channels; c++)
            sums[c] += own->color.weights[k] * value[c];
        alpha_sum += own->alpha.weights[k] * value[channels - 1];
    }
    uint32_t sample[4] = {0, 0, 0, 0}, result[4] = {0, 0, 0, 0};
    load_samples(&call->src, &own->lift, x, y, sample);
    img_convolve_pixel(own, sums, alpha_sum, sample, result);
    for (int32_t c = 0; c < channels; c++)
        img_sample_set(call->dst.data + (size_t)y * call->dst.stride,
                       (size_t)x * (size_t)channels + (size_t)c, call->dst.format.bits, result[c]);
}

ImgStatus img_convolve_reference(const ImgCall *call, ImgError *err)
{
    const ImgConvolve *own = call->constants.bytes;
    (void)err;
    for (int32_t y = 0; y < call->src.height; y++)
        for (int32_t x = 0; x < call->src.width; x++)
            convolve_at(call, own, x, y);
    return IMG_OK;
}
