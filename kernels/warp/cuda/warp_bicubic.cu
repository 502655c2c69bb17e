/* The fast image warp on CUDA with the bicubic filter (windows of 4 x 4 pixels). */
#include "kernels/warp/cuda/warp_kernel.cuh"

ImgStatus warp_launch_bicubic(const ImgCall *call, const ImgWarpMap *map, const ImgWarp *warp,
                              warp_tiles::Task *task, bool *done, ImgError *err)
{
    return warp_tiles::launch_for<2>(call, map, warp, task, done, err);
}
