/* Reference implementation of image warps: computes each pixel directly from the definition in
 * warp.h. */
#include "kernels/warp/warp.h"

static void make_pixels(const ImgCall *call, const ImgWarpMap *map)
{
    const ImgWarp *warp = call->constants.bytes;
    const ImgView *dst = &call->dst;
    const size_t channels = (size_t)warp->to.channels;
    for (int32_t y = 0; y < dst->height; y++)
        for (int32_t x = 0; x < dst->width; x++) {
            uint32_t sample[4] = {0, 0, 0, 0};
            if (img_warp_is_nearest(warp, map))
                img_warp_nearest(warp, map, &call->src, x, y, sample);
            else
                img_warp_filtered(warp, map, &call->src, x, y, sample);
            for (size_t c = 0; c < channels; c++)
                img_sample_set(dst->data + (size_t)y * dst->stride, (size_t)x * channels + c,
                               warp->to.bits, sample[c]);
        }
}

ImgStatus img_warp_reference(const ImgCall *call, const ImgWarpMap *map, ImgError *err)
{
    ImgImage copy;
    ImgCall own;
    const ImgStatus status = img_warp_color_cpu(call, &copy, &own, err);
    if (status == IMG_OK)
        make_pixels(&own, map);
    img_image_free(&copy);
    return status;
}
