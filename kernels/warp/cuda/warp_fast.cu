/* The fast image warp on CUDA, with tiles: chooses and launches the kernels, which are in
 * warp_kernel.cuh. */
#include "kernels/warp/cuda/warp_task.cuh"

/* Largest number of pixels for which the simple version takes less time than planning tiles. */
constexpr int64_t TINY = 32;

static WarpLaunch *launch_of(int32_t filter)
{
    return filter == IMG_WARP_BILINEAR   ? warp_launch_bilinear
           : filter == IMG_WARP_BICUBIC  ? warp_launch_bicubic
           : filter == IMG_WARP_LANCZOS3 ? warp_launch_lanczos3
                                         : warp_launch_lanczos4;
}

ImgStatus img_warp_cuda_fast(const ImgCall *call, const ImgWarpMap *map, ImgError *err)
{
    const auto *warp = static_cast<const ImgWarp *>(call->constants.bytes);
    ImgCall own;
    ImgStatus status = img_warp_color_cuda(call, &own, err);
    if (status != IMG_OK)
        return status;
    warp_tiles::Task task = {};
    task.src = own.src;
    task.dst = own.dst;
    task.warp = static_cast<const ImgWarp *>(call->device_constants);
    task.map = *map;
    task.constant = warp->border == IMG_BORDER_CONSTANT;
    task.edges = task.constant ? (int32_t)IMG_BORDER_REPLICATE : warp->border;
    task.is_single = map->grid_width == 1 && map->grid_height == 1;
    const bool is_tiny = task.is_single && (int64_t)task.dst.width * task.dst.height <= TINY;
    bool done = false;
    if (img_warp_is_nearest(warp, map) == 0 && !is_tiny)
        status = launch_of(warp->filter)(&own, map, warp, &task, &done, err);
    return status != IMG_OK || done ? status : img_warp_cuda_naive(&own, map, err);
}
