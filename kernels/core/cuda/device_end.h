/* What brings pixels to a GPU, or takes them from it, in another form than as they lie in host
 * memory: a codec, say. Whoever runs steps knows nothing of the form: it gives memory and calls.
 *
 * Plain C: no CUDA is needed to include it. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_DEVICE_END_H
#define IMGTOOL_KERNELS_CORE_CUDA_DEVICE_END_H

#include "kernels/core/cuda/stages.h"
#include "kernels/core/image.h"
#include "kernels/core/parallel/parallel.h"

/* What an end may use; all of it borrowed, until `end` has returned. */
typedef struct ImgDevicePlace {
    ImgView view;            /* in device memory: a source fills it, a sink reads it */
    void *device;            /* device_bytes of device memory, aligned to 256 bytes */
    void *host;              /* host_bytes of host memory, pinned if the driver took it */
    void *stream;            /* a cudaStream_t */
    ImgTeam *team;           /* threads for what the host does; may be NULL */
    int threads;             /* at least 1 */
    const ImgStages *stages; /* told of the parts of `work`; NULL: nobody asked */
} ImgDevicePlace;

/* A source is called in the order move, work, end; a sink in the order work, move, end. The first
 * two put work into the stream and return without waiting for it. */
typedef struct ImgDeviceEnd {
    size_t device_bytes, host_bytes;
    /* Bytes between host and device. */
    ImgStatus (*move)(void *context, const ImgDevicePlace *place, ImgError *err);
    /* These bytes to pixels, or pixels to bytes. */
    ImgStatus (*work)(void *context, const ImgDevicePlace *place, ImgError *err);
    /* The stream is through. A failure, such as of bytes that turned out to be no picture, is that
     * of the run. */
    ImgStatus (*end)(void *context, const ImgDevicePlace *place, ImgError *err);
    void *context;
} ImgDeviceEnd;

#endif
