/* Private: an open CUDA device, of those who open it and those who run steps on it. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_CUDA_DEVICE_PRIV_H
#define IMGTOOL_KERNELS_CORE_EXEC_CUDA_DEVICE_PRIV_H

#include <cuda_runtime_api.h>

#include "kernels/core/exec/cuda/pinned.h"
#include "kernels/core/exec/cuda/staging.h"
#include "kernels/core/exec/exec_priv.h"

/* Two images, of which steps read one and write the other, and what a step or an end needs beside
 * them. */
enum { IMG_CUDA_IMAGES = 2, IMG_CUDA_WORKSPACE = 2, IMG_CUDA_BUFFERS = 3 };

/* Host memory of the two ends of a run. */
enum { IMG_CUDA_OF_SOURCE, IMG_CUDA_OF_SINK, IMG_CUDA_PINNED };

/* Moments of a run: before and after the source moves, each step ends, the sink works, and moves.
 */
enum { IMG_CUDA_MARKS = IMG_STEPS_MAX + 5 };

struct ImgCuda {
    int device;
    char name[64];
    cudaStream_t stream;
    ImgStaging staging;
    /* Memory is kept from run to run, and grown as needed. */
    void *buffer[IMG_CUDA_BUFFERS];
    size_t capacity[IMG_CUDA_BUFFERS];
    ImgPinned pinned[IMG_CUDA_PINNED];
    cudaEvent_t mark[IMG_CUDA_MARKS];
};

#endif
