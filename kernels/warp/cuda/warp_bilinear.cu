/* The fast image warp on CUDA with the bilinear filter (windows of 2 x 2 pixels). */
#include "kernels/warp/cuda/warp_kernel.cuh"

ImgStatus warp_launch_bilinear(const ImgCall *call, const ImgWarpMap *map, const ImgWarp *warp,
                               warp_tiles::Task *task, bool *done, ImgError *err)
{
    return warp_tiles::launch_for<1>(call, map, warp, task, done, err);
}
