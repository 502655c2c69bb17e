/* Private: which tiles the fast warp on CUDA makes, and who launches it. */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_PLAN_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_PLAN_CUH

#include "kernels/warp/cuda/warp_task.cuh"

/* The largest tile whose box is so small that several blocks have room, by `map`: fills in what of
 * `task` depends on it. Returns bytes of shared memory of a box, 0 where none is at most `most`.
 * `words` are those of a pixel, `more` pixels of the source are read to the right of a box. */
int64_t warp_plan(warp_tiles::Task *task, const ImgWarpMap *map, int words, int more, int most_tall,
                  int64_t most);

/* Sets `done` where shared memory holds the boxes; does nothing where not. */
typedef ImgStatus WarpLaunch(const ImgCall *call, const ImgWarpMap *map, const ImgWarp *warp,
                             warp_tiles::Task *task, bool *done, ImgError *err);
WarpLaunch warp_launch_bilinear, warp_launch_bicubic, warp_launch_lanczos3, warp_launch_lanczos4;

#endif
