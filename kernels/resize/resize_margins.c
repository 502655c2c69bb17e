/* Resizes pictures whose margins need another format than the picture has: alpha around RGB, or a
 * colour around gray. First the picture is scaled without margins, and the scaled picture is stored
 * in separate memory, at most as large as the result. Then it is copied from there to its position
 * in the result, between the margins. */
#include "kernels/resize/resize.h"

static ImgResizeGeometry geometry_of(const ImgResizeParams *params, ImgShape src)
{
    ImgResizeGeometry geometry;
    /* This cannot fail, because the `shape` function of the operation has accepted these
     * parameters. */
    (void)img_resize_geometry(params, src.width, src.height, &geometry);
    return geometry;
}

static ImgBorderParams border_of(const ImgResizeParams *params)
{
    ImgBorderParams border = params->around;
    border.border = IMG_BORDER_CONSTANT;
    return border;
}

static ImgFormat scaled_format(const ImgResizeParams *params, ImgFormat format)
{
    if (format.bits < 8 && !img_resize_keeps_samples(params))
        format.bits = 8;
    return format;
}

bool img_resize_has_margins(const ImgResizeParams *params, ImgShape src)
{
    ImgResizeGeometry geometry;
    return src.width == 0 || !img_resize_whole_geometry(params, src.width, src.height, &geometry) ||
           geometry.width > geometry.across.count || geometry.height > geometry.down.count;
}

ImgFormat img_resize_format(const ImgResizeParams *params, ImgShape src)
{
    const ImgFormat format = scaled_format(params, src.format);
    const ImgBorderParams border = border_of(params);
    return img_resize_has_margins(params, src) && !img_resize_keeps_samples(params)
               ? img_border_format(format, &border)
               : format;
}

bool img_resize_is_apart(const ImgResizeParams *params, ImgShape src)
{
    return img_resize_format(params, src).color != src.format.color;
}

ImgShape img_resize_inner_shape(const ImgResizeParams *params, ImgShape src)
{
    const ImgResizeGeometry geometry = geometry_of(params, src);
    return (ImgShape){geometry.across.count, geometry.down.count,
                      scaled_format(params, src.format)};
}

uint64_t img_resize_inner_bytes(const ImgResizeParams *params, ImgShape src)
{
    size_t bytes = 0;
    if (img_resize_is_apart(params, src))
        (void)img_shape_bytes(img_resize_inner_shape(params, src), &bytes, NULL);
    return bytes;
}

size_t img_resize_inner_workspace(const ImgResizeParams *params, ImgShape src)
{
    enum { ALIGNMENT = 256 };
    if (!img_resize_is_apart(params, src))
        return 0;
    const ImgShape inner = img_resize_inner_shape(params, src);
    const size_t bytes = img_device_pitch(inner) * (size_t)inner.height;
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

ImgCanvas img_resize_canvas(const ImgCall *call)
{
    const ImgResizeGeometry geometry = geometry_of(call->params, img_view_shape(&call->src));
    const ImgBorderParams border = border_of(call->params);
    return img_canvas_make(geometry.across.at, geometry.down.at, &border, call->dst.format);
}

ImgStatus img_resize_put_inner(const ImgCall *call, const ImgView *inner, bool is_reference)
{
    const ImgCanvas canvas = img_resize_canvas(call);
    ImgCall own = *call;
    own.src = *inner;
    return is_reference ? img_canvas_reference(&own, &canvas) : img_canvas_cpu(&own, &canvas);
}

ImgStatus img_resize_run_cpu(const ImgCall *call, ImgRunFunction *run, bool is_reference,
                             ImgError *err)
{
    const ImgShape src = img_view_shape(&call->src);
    if (!img_resize_is_apart(call->params, src))
        return run(call, err);
    ImgImage inner;
    ImgCall own = *call;
    ImgStatus status = img_image_alloc(img_resize_inner_shape(call->params, src), &inner, err);
    if (status != IMG_OK)
        return status;
    own.dst = inner.view;
    status = run(&own, err);
    if (status == IMG_OK)
        status = img_resize_put_inner(call, &inner.view, is_reference);
    img_image_free(&inner);
    return status;
}
