/* The one way to launch a kernel and the one way to declare shared memory. nvcc turns them into the
 * language's own; tests/emulator runs the same sources thread by thread without a GPU. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_LAUNCH_CUH
#define IMGTOOL_KERNELS_CORE_CUDA_LAUNCH_CUH

#ifdef IMGTOOL_EMULATOR
#include "tests/emulator/device.h"
#else

/* kernel<<<grid, block, shared_bytes, stream>>>(arguments); a kernel whose template arguments hold
 * commas goes in parentheses. */
#define IMG_LAUNCH(kernel, grid, block, shared_bytes, stream, ...)                                 \
    kernel<<<(grid), (block), (shared_bytes), (cudaStream_t)(stream)>>>(__VA_ARGS__)

/* IMG_SHARED(uint4, tile, [ROWS][COLUMNS]); */
#define IMG_SHARED(type, name, extents) __shared__ type name extents

/* IMG_SHARED_DYNAMIC(uint4, tile); as many as the launch asks for. */
#define IMG_SHARED_DYNAMIC(type, name)  extern __shared__ type name[]

#endif
#endif
