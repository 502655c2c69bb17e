/* Converts a gray picture to RGB in the workspace of a GPU, before the picture is warped. */
#include "kernels/canvas/canvas.h"
#include "kernels/warp/warp.h"

ImgStatus img_warp_color_cuda(const ImgCall *call, ImgCall *own, ImgError *err)
{
    const ImgFormat to = call->dst.format;
    const ImgCanvas canvas = {}; /* without margins: the canvas has the same size as the picture */
    *own = *call;
    if (!img_warp_gets_color(call->src.format, to))
        return IMG_OK;
    const ImgShape shape = img_warp_source_shape(img_view_shape(&call->src), to);
    own->dst = img_view_make(call->workspace, img_device_pitch(shape), shape);
    const ImgStatus status = img_canvas_cuda_fast(own, &canvas, err);
    own->src = own->dst;
    own->dst = call->dst;
    return status;
}
