/* Private: what the fast warp on CUDA does. */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_TASK_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_TASK_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/warp/warp.h"

namespace warp_tiles
{

constexpr int GROUP = 4; /* pixels of the source that a thread loads together */
constexpr int LANES = 32, ROWS = 8, THREADS = LANES * ROWS;

struct Task {
    ImgView src, dst;
    const ImgWarp *warp; /* on the device */
    ImgWarpMap map;
    uint32_t across;    /* tiles of a row */
    int32_t wide, tall; /* of a tile in pixels: multiples of LANES and ROWS */
    ImgWarpPlace least; /* how far places of a tile are before its first pixel's: 0 or less */
    int32_t groups;     /* of a row of a box: at most THREADS */
    int32_t rows;       /* of pairs: a multiple of strip_rows */
    int32_t pitch;      /* of these, in bytes: a multiple of 16 */
    int32_t strips;     /* of rows, which threads load that stand one above the other */
    int32_t strip_rows;
    int32_t half;      /* of the window */
    int32_t constant;  /* the border is the background */
    int32_t edges;     /* how they are continued in boxes */
    int32_t is_single; /* a pixel is made of one place */
};

} // namespace warp_tiles

#endif
