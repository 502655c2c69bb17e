/* Private: plans the tiles of the fast image warp on CUDA, and declares the functions that launch
 * it. */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_PLAN_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_PLAN_CUH

#include "kernels/warp/cuda/warp_task.cuh"

/* Chooses the largest tile whose box, the source pixels that it reads, is so small that several
 * thread blocks fit on a multiprocessor. Sets the members of `task` that depend on the tile.
 * Returns the bytes of shared memory for a box, or 0 if no box fits in `most` bytes. `words` is the
 * number of words per pixel. `more` is the number of source pixels that are read to the right of a
 * box. `most_tall` is the largest height of a tile in pixels. */
int64_t warp_plan(warp_tiles::Task *task, const ImgWarpMap *map, int words, int more, int most_tall,
                  int64_t most);

/* Launches the kernel and sets `done` to true if boxes fit in shared memory; otherwise does
 * nothing. */
typedef ImgStatus WarpLaunch(const ImgCall *call, const ImgWarpMap *map, const ImgWarp *warp,
                             warp_tiles::Task *task, bool *done, ImgError *err);
WarpLaunch warp_launch_bilinear, warp_launch_bicubic, warp_launch_lanczos3, warp_launch_lanczos4;

#endif
