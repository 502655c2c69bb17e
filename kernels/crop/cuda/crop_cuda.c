/* crop on the GPU. The CUDA driver or a kernel copies the rows. */
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/move_many.h"
#include "kernels/core/cuda/row_copy.h"
#include "kernels/crop/crop.h"

static ImgView rectangle(const ImgCall *call)
{
    ImgCropPlace place = {0, 0, 0, 0};
    /* This cannot fail, because the operation's function `shape` has accepted the same parameters
     * before. */
    (void)img_crop_place(call->params, img_view_shape(&call->src), &place, NULL);
    return img_view_crop(&call->src, place.x, place.y, place.width, place.height);
}

/* Copies with the driver's function for rectangles. It reaches 40 to 75 % of the speed of a copy of
 * contiguous memory. */
ImgStatus img_crop_cuda_copy(const ImgCall *call, ImgError *err)
{
    const ImgView src = rectangle(call), *dst = &call->dst;
    CUDA_TRY(cudaMemcpy2DAsync(dst->data, dst->stride, src.data, src.stride,
                               (size_t)dst->width * img_format_pixel_size(dst->format),
                               (size_t)dst->height, cudaMemcpyDeviceToDevice, call->stream),
             err);
    return IMG_OK;
}

ImgStatus img_crop_cuda_fast(const ImgCall *call, ImgError *err)
{
    const ImgView src = rectangle(call);
    return img_row_copy_view(&src, &call->dst, call->stream, err);
}

ImgStatus img_crop_cuda_run_many(const ImgCall *calls, size_t count, const ImgManyRoom *room,
                                 ImgError *err)
{
    ImgMove *moves = room->host;
    for (size_t i = 0; i < count; i++) {
        const ImgView src = rectangle(&calls[i]), *dst = &calls[i].dst;
        const size_t pixel_size = img_format_pixel_size(dst->format);
        moves[i] = (ImgMove){.src = src.data,
                             .src_x = (int64_t)pixel_size,
                             .src_y = (int64_t)src.stride,
                             .dst = dst->data,
                             .dst_stride = dst->stride,
                             .width = dst->width,
                             .height = dst->height,
                             .pixel_size = (int32_t)pixel_size};
    }
    return img_move_many(room, count, calls[0].stream, err);
}

/* The description of the call may be on the stack: cudaMemcpyAsync copies unpinned memory before it
 * returns. */
ImgStatus img_crop_cuda_many(const ImgCall *call, ImgError *err)
{
    ImgMove move;
    const ImgManyRoom room = {&move, call->workspace};
    return img_crop_cuda_run_many(call, 1, &room, err);
}
