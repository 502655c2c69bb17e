/* Private: the plan of tiles of the fast warp on CUDA, and its launch functions. */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_PLAN_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_PLAN_CUH

#include "kernels/warp/cuda/warp_task.cuh"

/* Finds the largest tile whose box is so small that several blocks fit, for `map`, and fills in the
 * members of `task` that depend on it. Returns the shared memory of a box in bytes, or 0 if none is
 * at most `most`. `words` is the words per pixel; `more` source pixels are read to the right of a
 * box. */
int64_t warp_plan(warp_tiles::Task *task, const ImgWarpMap *map, int words, int more, int most_tall,
                  int64_t most);

/* Sets `done` if the boxes fit shared memory; otherwise it does nothing. */
typedef ImgStatus WarpLaunch(const ImgCall *call, const ImgWarpMap *map, const ImgWarp *warp,
                             warp_tiles::Task *task, bool *done, ImgError *err);
WarpLaunch warp_launch_bilinear, warp_launch_bicubic, warp_launch_lanczos3, warp_launch_lanczos4;

#endif
