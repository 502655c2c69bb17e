/* A source or sink of pixels for runs on a GPU. On the host its data is not plain pixels but, for
 * example, encoded bytes. The code that runs steps does not depend on the encoding: it only
 * provides memory and calls the functions of ImgDeviceEnd.
 *
 * This is plain C: no CUDA is needed to include it. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_DEVICE_END_H
#define IMGTOOL_KERNELS_CORE_CUDA_DEVICE_END_H

#include "kernels/core/cuda/stages.h"
#include "kernels/core/image.h"
#include "kernels/core/parallel/parallel.h"

/* Resources for an ImgDeviceEnd, borrowed until its `end` has returned. */
typedef struct ImgDevicePlace {
    ImgView view; /* pixels in device memory: a source writes them, a sink reads them */
    /* device memory of the size ImgDeviceEnd.device_bytes, aligned to 256 bytes */
    void *device;
    /* host memory of the size ImgDeviceEnd.host_bytes, pinned if the driver allowed it */
    void *host;
    void *stream; /* a cudaStream_t to which `move` and `work` add their work */
    /* a second cudaStream_t, whose GPU work runs at the same time as the work in `stream`; before
     * `work` returns, it must make `stream` wait for this stream */
    void *second_stream;
    ImgTeam *team;           /* threads for work on the host; NULL if there is no team */
    int threads;             /* number of host threads that may be used, at least 1 */
    const ImgStages *stages; /* callbacks that time the parts of `work`; NULL if it is not timed */
} ImgDevicePlace;

/* Device memory and pinned host memory that ends need to be processed together, in addition to
 * ImgDeviceEnd.many_bytes of each, in bytes. */
typedef struct ImgDeviceManyBytes {
    size_t device, host;
} ImgDeviceManyBytes;

/* Functions that process many ends together, with few launches. `contexts` are their
 * ImgDeviceEnd.context. */
typedef struct ImgDeviceManyEnds {
    ImgDeviceManyBytes (*bytes)(void *const *contexts, size_t count);
    /* Does the same as ImgDeviceEnd.work for each end, in the stream of `common`. `places` are the
     * places of the ends. `common` has memory of the size that `bytes` returns, and no view. An end
     * that fails does not affect the others: its function `end` reports the failure. */
    ImgStatus (*work)(void *const *contexts, const ImgDevicePlace *places, size_t count,
                      const ImgDevicePlace *common, ImgError *err);
} ImgDeviceManyEnds;

/* Functions of a source or a sink. The executor calls move, work and end of a source in this order;
 * for a sink, work, move and end. `move` and `work` add work to the stream and return without
 * waiting. */
typedef struct ImgDeviceEnd {
    size_t device_bytes, host_bytes;
    /* For a source, copies the encoded bytes to the device. For a sink, copies the encoded bytes to
     * the host. */
    ImgStatus (*move)(void *context, const ImgDevicePlace *place, ImgError *err);
    /* For a source, decodes the bytes on the device to pixels. For a sink, encodes the pixels to
     * bytes. */
    ImgStatus (*work)(void *context, const ImgDevicePlace *place, ImgError *err);
    /* Called after all work in the stream is complete. The run fails if `end` fails, for example
     * because the bytes are not a picture. */
    ImgStatus (*end)(void *context, const ImgDevicePlace *place, ImgError *err);
    void *context;
    /* For an end of a small picture, which may be processed together with others. `many_bytes` is
     * then used instead of `device_bytes`. NULL: it is processed alone. */
    const ImgDeviceManyEnds *many;
    size_t many_bytes;
    /* true: faster than the CPU only together with others */
    bool only_many;
} ImgDeviceEnd;

#endif
