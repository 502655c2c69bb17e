/* Private: an open CUDA device (ImgCuda), for the source files that open it and that run steps on
 * it. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_CUDA_DEVICE_PRIV_H
#define IMGTOOL_KERNELS_CORE_EXEC_CUDA_DEVICE_PRIV_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

#include "kernels/core/exec/exec_priv.h"
#include "kernels/core/image.h"
#include "kernels/core/parallel/parallel.h"

/* --- Staging ---------------------------------------------------------------------------------- */

/* Copies images between host memory and pitched device memory through pinned staging buffers.
 *
 * Copies from pageable memory reach 8.7 GB/s, those from pinned memory 55 GB/s. But pinning a whole
 * image costs more than it saves (160 ms for 256 MiB). So a few pinned buffers are kept and filled
 * in turn: while one is copied to the device, threads pack rows into the next. Rows are packed at
 * the device's pitch, so that each copy is contiguous for any width. */
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

/* --- The device ------------------------------------------------------------------------------- */

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
    /* For groups: plans that are kept, made when first needed, and pinned memory for lists. */
    struct ImgManyKinds *kinds;
    ImgHostMemory lists;
    /* true after the first run: device memory is allocated and kernels are loaded */
    bool has_begun;
};

/* --- Device buffers, and pinned host memory --------------------------------------------------- */

/* The device buffers of an ImgCuda are shared by its runs. A GPU copies from and to pinned memory
 * without the CPU, at the full speed of the bus. */
/* Sets *view to an image of the given shape in image buffer `which`. The old contents of the buffer
 * are lost. */
ImgStatus img_device_place_image(ImgCuda *cuda, int which, ImgShape shape, ImgView *view,
                                 ImgError *err);

/* Ensures a workspace of at least `bytes` bytes; `shape` is for the error message. Passes, source
 * and sink run one after another, so they share the workspace. */
ImgStatus img_device_reserve_workspace(ImgCuda *cuda, size_t bytes, ImgShape shape, ImgError *err);

/* Copies the constants of the passes from `first` on to the device (layout: img_sent_room). Does
 * nothing if the device still has the same constants from the previous picture. The old constants
 * are overwritten, so no queued work may still use them. */
ImgStatus img_device_send_constants(ImgCuda *cuda, const ImgPlan *plan, size_t first,
                                    ImgError *err);

/* Pins the memory for `device`, which must be the thread's current device. After a failure, later
 * calls do not try again. Unpinned memory works too, but the driver then copies with the help of
 * the CPU. */
void img_cuda_pin(int device, ImgHostMemory *memory);

#endif
