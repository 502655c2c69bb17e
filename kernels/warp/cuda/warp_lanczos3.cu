/* The fast image warp on CUDA with the lanczos3 filter (windows of 6 x 6 pixels). */
#include "kernels/warp/cuda/warp_kernel.cuh"

ImgStatus warp_launch_lanczos3(const ImgCall *call, const ImgWarpMap *map, const ImgWarp *warp,
                               warp_tiles::Task *task, bool *done, ImgError *err)
{
    return warp_tiles::launch_for<3>(call, map, warp, task, done, err);
}
