/* Private: an open CUDA device, of those who open it and those who run steps on it. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_CUDA_DEVICE_PRIV_H
#define IMGTOOL_KERNELS_CORE_EXEC_CUDA_DEVICE_PRIV_H

#include <cuda_runtime_api.h>

#include "kernels/core/exec/cuda/staging.h"
#include "kernels/core/exec/exec_priv.h"

/* Two images, of which passes read one and write the other, what a pass or an end needs beside
 * them, and constants of all passes. */
enum { IMG_CUDA_IMAGES = 2, IMG_CUDA_WORKSPACE = 2, IMG_CUDA_CONSTANTS = 3, IMG_CUDA_BUFFERS = 4 };

/* Moments of a run: before and after the source moves, each step ends, the sink works, and moves.
 */
enum { IMG_CUDA_MARKS = IMG_PASSES_MAX + 5 };

struct ImgCuda {
    int device;
    char name[64];
    cudaStream_t stream;
    ImgStaging staging;
    /* Memory is kept from run to run, and grown as needed. */
    void *buffer[IMG_CUDA_BUFFERS];
    size_t capacity[IMG_CUDA_BUFFERS];
    ImgSent sent; /* what the buffer of constants holds */
    cudaEvent_t mark[IMG_CUDA_MARKS];
    cudaEvent_t
        part[IMG_RUN_PARTS + 1]; /* where parts of a run begin; made when they are asked for */
    bool has_begun;              /* a run was queued: it has what it needs, and keeps it */
};

#endif
