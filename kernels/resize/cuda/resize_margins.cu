/* Resizes pictures on a GPU whose margins need another format than the picture has: alpha around
 * RGB, or a colour around gray. First the picture is scaled without margins, and the scaled picture
 * is stored in the workspace. Then it is copied from there to its position in the result, between
 * the margins. */
#include "kernels/resize/resize.h"

ImgStatus img_resize_run_cuda(const ImgCall *call, ImgRunFunction *run, ImgError *err)
{
    const auto *params = static_cast<const ImgResizeParams *>(call->params);
    const ImgShape src = img_view_shape(&call->src);
    if (!img_resize_is_apart(params, src))
        return run(call, err);
    const ImgShape inner = img_resize_inner_shape(params, src);
    const ImgCanvas canvas = img_resize_canvas(call);
    auto *memory = static_cast<uint8_t *>(call->workspace);
    ImgCall own = *call;
    own.dst = img_view_make(memory, img_device_pitch(inner), inner);
    own.workspace = memory + img_resize_inner_workspace(params, src);
    const ImgStatus status = run(&own, err);
    if (status != IMG_OK)
        return status;
    own.src = own.dst;
    own.dst = call->dst;
    return img_canvas_cuda_fast(&own, &canvas, err);
}
