/* Converts a gray picture to RGB before it is warped, if its background has a colour. */
#include "kernels/canvas/canvas.h"
#include "kernels/warp/warp.h"

static bool is_gray(ImgFormat format)
{
    return img_format_channels(format) < 3;
}

bool img_warp_gets_color(ImgFormat from, ImgFormat to)
{
    return is_gray(from) && !is_gray(to);
}

/* Returns the format of the source after its conversion from gray to RGB. It has alpha only if the
 * source has; the loops add missing alpha themselves. */
ImgFormat img_warp_source_format(ImgFormat from, ImgFormat to)
{
    if (!img_warp_gets_color(from, to))
        return from;
    return (ImgFormat){img_format_has_alpha(from) ? IMG_COLOR_RGBA : IMG_COLOR_RGB, to.bits};
}

ImgShape img_warp_source_shape(ImgShape src, ImgFormat to)
{
    return (ImgShape){src.width, src.height, img_warp_source_format(src.format, to)};
}

uint64_t img_warp_color_scratch(ImgShape src, ImgFormat to)
{
    size_t bytes = 0;
    if (img_warp_gets_color(src.format, to))
        (void)img_shape_bytes(img_warp_source_shape(src, to), &bytes, NULL);
    return bytes;
}

size_t img_warp_color_workspace(ImgShape src, ImgFormat to)
{
    return img_warp_gets_color(src.format, to)
               ? img_device_pitch(img_warp_source_shape(src, to)) * (size_t)src.height
               : 0;
}

ImgStatus img_warp_color_cpu(const ImgCall *call, ImgImage *copy, ImgCall *own, ImgError *err)
{
    const ImgShape src = img_view_shape(&call->src);
    /* without margins: the canvas has the same size as the picture */
    const ImgCanvas canvas = {.border = IMG_BORDER_REPLICATE};
    *copy = IMG_IMAGE_NONE;
    *own = *call;
    if (!img_warp_gets_color(src.format, call->dst.format))
        return IMG_OK;
    ImgStatus status = img_image_alloc(img_warp_source_shape(src, call->dst.format), copy, err);
    if (status != IMG_OK)
        return status;
    own->dst = copy->view;
    status = img_canvas_cpu(own, &canvas);
    own->src = copy->view;
    own->dst = call->dst;
    return status;
}
