/* The fast image warp on CUDA with the lanczos4 filter (windows of 8 x 8 pixels). */
#include "kernels/warp/cuda/warp_kernel.cuh"

ImgStatus warp_launch_lanczos4(const ImgCall *call, const ImgWarpMap *map, const ImgWarp *warp,
                               warp_tiles::Task *task, bool *done, ImgError *err)
{
    return warp_tiles::launch_for<4>(call, map, warp, task, done, err);
}
