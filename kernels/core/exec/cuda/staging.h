/* Copies images between host memory and pitched device memory through pinned staging buffers.
 *
 * Copies from pageable memory reach 8.7 GB/s, from pinned memory 55, but pinning a whole image
 * costs more than it saves (160 ms for 256 MiB). So a few pinned buffers are kept and filled in
 * turn: while one is copied to the device, threads pack the next. Rows are packed at the device's
 * pitch, so that each copy is one contiguous piece whatever the width. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_CUDA_STAGING_H
#define IMGTOOL_KERNELS_CORE_EXEC_CUDA_STAGING_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

#include "kernels/core/image.h"
#include "kernels/core/parallel/parallel.h"

enum { IMG_STAGING_BUFFERS = 3 };

typedef struct ImgStaging {
    bool is_open;                         /* the buffers and events below exist */
    uint8_t *buffer[IMG_STAGING_BUFFERS]; /* pinned, STAGING_BYTES (staging.c) each */
    cudaEvent_t done[IMG_STAGING_BUFFERS];
    bool busy[IMG_STAGING_BUFFERS]; /* a copy was started; `done` signals its end */
} ImgStaging;

/* Start from zeros; memory is pinned on first use. */
void img_staging_close(ImgStaging *staging);

/* Both wait until the copy is complete; `device` has the shape of `host`. */
ImgStatus img_staging_upload(ImgStaging *staging, const ImgView *host, const ImgView *device,
                             ImgTeam *team, int threads, cudaStream_t stream, ImgError *err);
ImgStatus img_staging_download(ImgStaging *staging, const ImgView *device, const ImgView *host,
                               ImgTeam *team, int threads, cudaStream_t stream, ImgError *err);

#endif
