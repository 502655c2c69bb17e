/* Source or sink of pixels on a GPU whose form on the host is not plain pixels but, for example,
 * that of a codec. The code that runs steps does not depend on that form: it only provides memory
 * and makes the calls.
 *
 * This is plain C: no CUDA is needed to include it. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_DEVICE_END_H
#define IMGTOOL_KERNELS_CORE_CUDA_DEVICE_END_H

#include "kernels/core/cuda/stages.h"
#include "kernels/core/image.h"
#include "kernels/core/parallel/parallel.h"

/* Resources for an ImgDeviceEnd, borrowed until its `end` has returned. */
typedef struct ImgDevicePlace {
    ImgView view;            /* pixels in device memory: a source writes them, a sink reads them */
    void *device;            /* device_bytes of device memory, aligned to 256 bytes */
    void *host;              /* host_bytes of host memory, pinned if the driver allowed it */
    void *stream;            /* a cudaStream_t */
    ImgTeam *team;           /* threads for work on the host; may be NULL */
    int threads;             /* number of threads, at least 1 */
    const ImgStages *stages; /* callbacks that time the parts of `work`; NULL if nothing is timed */
} ImgDevicePlace;

/* Functions of a source or a sink. The calls of a source are move, work, end; those of a sink are
 * work, move, end. `move` and `work` put work into the stream and return without waiting. */
typedef struct ImgDeviceEnd {
    size_t device_bytes, host_bytes;
    /* Copies the encoded bytes between host and device. */
    ImgStatus (*move)(void *context, const ImgDevicePlace *place, ImgError *err);
    /* Decodes the bytes to pixels, or encodes pixels to bytes. */
    ImgStatus (*work)(void *context, const ImgDevicePlace *place, ImgError *err);
    /* Called after all work of the stream is done. If it fails, for example because the bytes are
     * not a picture, the run fails. */
    ImgStatus (*end)(void *context, const ImgDevicePlace *place, ImgError *err);
    void *context;
} ImgDeviceEnd;

#endif
