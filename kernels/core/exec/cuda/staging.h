/* Copies images between host memory and pitched device memory through pinned staging buffers.
 *
 * Copies from pageable memory reach 8.7 GB/s, those from pinned memory 55 GB/s. But pinning a whole
 * image costs more than it saves (160 ms for 256 MiB). So a few pinned buffers are kept and filled
 * in turn: while one is copied to the device, threads pack rows into the next. Rows are packed at
 * the device's pitch, so that each copy is contiguous for any width. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_CUDA_STAGING_H
#define IMGTOOL_KERNELS_CORE_EXEC_CUDA_STAGING_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

#include "kernels/core/image.h"
#include "kernels/core/parallel/parallel.h"

enum { IMG_STAGING_BUFFERS = 3 };

typedef struct ImgStaging {
    bool is_open; /* true: the buffers and events below exist */
    /* pinned memory of STAGING_BYTES (staging.c) bytes each */
    uint8_t *buffer[IMG_STAGING_BUFFERS];
    cudaEvent_t done[IMG_STAGING_BUFFERS];
    /* true: a copy from or to the buffer was started; `done` signals its end */
    bool busy[IMG_STAGING_BUFFERS];
} ImgStaging;

/* Frees the buffers and events. An ImgStaging starts as zeros; its memory is allocated and pinned
 * when it is first used. */
void img_staging_close(ImgStaging *staging);

/* img_staging_upload copies the image `host` to `device`, img_staging_download copies `device` to
 * `host`. Both return after the copy is complete. `device` must have the shape of `host`. */
ImgStatus img_staging_upload(ImgStaging *staging, const ImgView *host, const ImgView *device,
                             ImgTeam *team, int threads, cudaStream_t stream, ImgError *err);
ImgStatus img_staging_download(ImgStaging *staging, const ImgView *device, const ImgView *host,
                               ImgTeam *team, int threads, cudaStream_t stream, ImgError *err);

#endif
