/* Source or sink of pixels on a GPU whose host form is not plain pixels, such as a codec. The code
 * that runs steps does not know that form: it only provides memory and makes the calls.
 *
 * Plain C: no CUDA is needed to include it. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_DEVICE_END_H
#define IMGTOOL_KERNELS_CORE_CUDA_DEVICE_END_H

#include "kernels/core/cuda/stages.h"
#include "kernels/core/image.h"
#include "kernels/core/parallel/parallel.h"

/* Resources for an ImgDeviceEnd, borrowed until its `end` has returned. */
typedef struct ImgDevicePlace {
    ImgView view;            /* in device memory: a source fills it, a sink reads it */
    void *device;            /* device_bytes of device memory, aligned to 256 bytes */
    void *host;              /* host_bytes of host memory, pinned if the driver allowed it */
    void *stream;            /* a cudaStream_t */
    ImgTeam *team;           /* threads for work on the host; may be NULL */
    int threads;             /* at least 1 */
    const ImgStages *stages; /* callbacks that time the parts of `work`; NULL: not timed */
} ImgDevicePlace;

/* Functions of a source or a sink. A source is called in the order move, work, end; a sink in the
 * order work, move, end. The first two put work into the stream and return without waiting. */
typedef struct ImgDeviceEnd {
    size_t device_bytes, host_bytes;
    /* Copies the bytes between host and device. */
    ImgStatus (*move)(void *context, const ImgDevicePlace *place, ImgError *err);
    /* Decodes the bytes to pixels, or encodes pixels to bytes. */
    ImgStatus (*work)(void *context, const ImgDevicePlace *place, ImgError *err);
    /* Finishes after all work of the stream is done. A failure, such as bytes that are not a
     * picture, is the failure of the run. */
    ImgStatus (*end)(void *context, const ImgDevicePlace *place, ImgError *err);
    void *context;
} ImgDeviceEnd;

#endif
