/* Private: an open CUDA device (ImgCuda), for the source files that open it and that run steps on
 * it. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_CUDA_DEVICE_PRIV_H
#define IMGTOOL_KERNELS_CORE_EXEC_CUDA_DEVICE_PRIV_H

#include <cuda_runtime_api.h>

#include "kernels/core/exec/cuda/staging.h"
#include "kernels/core/exec/exec_priv.h"

/* Indices of the device buffers. Buffers 0 and 1 are images: each pass reads one and writes the
 * other. Passes, source and sink share the workspace. The last buffer has the constants of all
 * passes. */
enum { IMG_CUDA_IMAGES = 2, IMG_CUDA_WORKSPACE = 2, IMG_CUDA_CONSTANTS = 3, IMG_CUDA_BUFFERS = 4 };

/* Number of timing events in a run: one per pass, at its end, and five more. These are at the start
 * of the run, and after the copy and the work of the source and of the sink. */
enum { IMG_CUDA_MARKS = IMG_PASSES_MAX + 5 };

struct ImgCuda {
    int device;
    char name[64];
    cudaStream_t stream, second_stream;
    ImgStaging staging;
    /* Device memory and its size in bytes; kept from run to run, and enlarged when a run needs
     * more. */
    void *buffer[IMG_CUDA_BUFFERS];
    size_t capacity[IMG_CUDA_BUFFERS];
    ImgSent sent; /* host copy of the contents of the constants buffer */
    cudaEvent_t mark[IMG_CUDA_MARKS];
    /* events at the beginnings of the timed parts (ImgRunPart); created when first needed */
    cudaEvent_t part[IMG_RUN_PARTS + 1];
    /* true after the first run: device memory is allocated and kernels are loaded */
    bool has_begun;
};

#endif
