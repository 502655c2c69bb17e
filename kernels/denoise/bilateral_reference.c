/* Reference implementation of the bilateral filter. It computes each pixel directly from the
 * definition. */
#include "kernels/denoise/bilateral.h"

static uint32_t distance_of(const ImgWeighed *weighed, const uint32_t *a, const uint32_t *b)
{
    int32_t sum = 0;
    for (int32_t c = 0; c < weighed->colors; c++) {
        const int32_t difference = (int32_t)img_bilateral_guide(a[c], weighed->bits) -
                                   (int32_t)img_bilateral_guide(b[c], weighed->bits);
        sum += difference < 0 ? -difference : difference;
    }
    return (uint32_t)sum;
}

static void filter_pixel(const ImgCall *call, int32_t x, int32_t y, uint32_t *pixel)
{
    const ImgBilateral *own = call->constants.bytes;
    const ImgWeighed *weighed = &own->weighed;
    uint64_t sums[4] = {0, 0, 0, 0};
    uint32_t weights = 0;
    for (int32_t i = 0; i < own->count; i++) {
        const ImgBilateralTap *tap = &own->taps[i];
        uint32_t other[4];
        img_weighed_pixel(weighed, &call->src, (int64_t)x + tap->x, (int64_t)y + tap->y, other);
        uint32_t weight =
            img_bilateral_weight(own, distance_of(weighed, pixel, other), tap->exponent);
        if (weighed->has_alpha)
            weight = img_scale_15(weight, img_alpha_15(other[weighed->colors], weighed->bits));
        weights += weight;
        for (int32_t c = 0; c < weighed->colors; c++)
            sums[c] += (uint64_t)weight * other[c];
    }
    for (int32_t c = 0; c < weighed->colors; c++)
        pixel[c] = img_weighed_mean(sums[c], weights);
}

ImgStatus img_bilateral_reference(const ImgCall *call, ImgError *err)
{
    const ImgBilateral *own = call->constants.bytes;
    const ImgWeighed *weighed = &own->weighed;
    (void)err;
    for (int32_t y = 0; y < call->src.height; y++)
        for (int32_t x = 0; x < call->src.width; x++) {
            uint32_t pixel[4];
            img_weighed_pixel(weighed, &call->src, x, y, pixel);
            if (!weighed->has_alpha || pixel[weighed->colors] != 0)
                filter_pixel(call, x, y, pixel);
            for (int32_t c = 0; c < weighed->channels; c++)
                img_sample_set(call->dst.data + (size_t)y * call->dst.stride,
                               (size_t)x * (size_t)weighed->channels + (size_t)c, weighed->bits,
                               pixel[c]);
        }
    return IMG_OK;
}
