/* Private: an open CUDA device, for the files that open it and that run steps on it. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_CUDA_DEVICE_PRIV_H
#define IMGTOOL_KERNELS_CORE_EXEC_CUDA_DEVICE_PRIV_H

#include <cuda_runtime_api.h>

#include "kernels/core/exec/cuda/staging.h"
#include "kernels/core/exec/exec_priv.h"

/* Buffers: two images, of which each pass reads one and writes the other; the workspace of a pass,
 * source or sink; constants of all passes. */
enum { IMG_CUDA_IMAGES = 2, IMG_CUDA_WORKSPACE = 2, IMG_CUDA_CONSTANTS = 3, IMG_CUDA_BUFFERS = 4 };

/* Events of a run: before and after the source copies and works, after each pass, after the sink
 * works and copies. */
enum { IMG_CUDA_MARKS = IMG_PASSES_MAX + 5 };

struct ImgCuda {
    int device;
    char name[64];
    cudaStream_t stream;
    ImgStaging staging;
    /* Memory is kept from run to run, and grown as needed. */
    void *buffer[IMG_CUDA_BUFFERS];
    size_t capacity[IMG_CUDA_BUFFERS];
    ImgSent sent; /* copy of the contents of the constants buffer */
    cudaEvent_t mark[IMG_CUDA_MARKS];
    cudaEvent_t
        part[IMG_RUN_PARTS + 1]; /* beginnings of the parts of a run; created on first use */
    bool has_begun; /* a run was queued, so that memory is allocated and kernels are loaded */
};

#endif
