/* Private: plans the tiles of the fast warp on CUDA; and the functions that launch it. */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_PLAN_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_PLAN_CUH

#include "kernels/warp/cuda/warp_task.cuh"

/* Finds, for `map`, the largest tile whose box is so small that several blocks fit a
 * multiprocessor. Sets the members of `task` that depend on it. Returns the bytes of shared memory
 * for a box, or 0 if no box fits `most` bytes. `words` is the number of words per pixel, `more` the
 * number of source pixels that are read to the right of a box, and `most_tall` the largest height
 * of a tile. */
int64_t warp_plan(warp_tiles::Task *task, const ImgWarpMap *map, int words, int more, int most_tall,
                  int64_t most);

/* Launches the kernel and sets `done`, if boxes fit shared memory; otherwise does nothing. */
typedef ImgStatus WarpLaunch(const ImgCall *call, const ImgWarpMap *map, const ImgWarp *warp,
                             warp_tiles::Task *task, bool *done, ImgError *err);
WarpLaunch warp_launch_bilinear, warp_launch_bicubic, warp_launch_lanczos3, warp_launch_lanczos4;

#endif
