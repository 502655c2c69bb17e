/* A GPU for measurements: its memory, and the times of single runs. Unlike the executor
 * (kernels/core/exec/exec.h) it can run any implementation on any memory, so that each one can be
 * checked and timed alone.
 *
 * All work is queued on a stream of the calling thread, on one device, which becomes the current
 * device of that thread. Only one thread at a time may use an open device. Without CUDA or a GPU,
 * img_device_open fails with IMG_E_UNAVAILABLE. */
#ifndef IMGTOOL_APP_BENCH_TIMING_DEVICE_H
#define IMGTOOL_APP_BENCH_TIMING_DEVICE_H

#include <stddef.h>

#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ImgDevice ImgDevice;

/* Opens the GPU with this index. The first use of a GPU creates a CUDA context, which takes 190 to
 * 400 ms. */
ImgStatus img_device_open(int index, ImgDevice **device, ImgError *err);

/* Closes the device. NULL is allowed. */
void img_device_close(ImgDevice *device);

const char *img_device_name(const ImgDevice *device);

/* Allocates exactly `size` bytes of device memory. The caller frees them with img_device_free,
 * which accepts NULL. */
ImgStatus img_device_alloc(void **memory, size_t size, ImgError *err);
void img_device_free(void *memory);
ImgStatus img_device_upload(void *to, const void *from, size_t size, ImgError *err);
ImgStatus img_device_download(void *to, const void *from, size_t size, ImgError *err);

/* Returns the stream of the calling thread, for launches outside the functions of this header. */
void *img_device_stream(void);

/* Waits for all work that the calling thread has queued. Returns an error if any of the work
 * failed. */
ImgStatus img_device_wait(ImgError *err);

/* Sets the members of `call` that `impl` needs: the stream, a workspace of exactly the required
 * size, and a copy of the constants in device memory. All are valid until the next call of this
 * function. */
ImgStatus img_device_prepare(ImgDevice *device, const ImgImpl *impl, ImgCall *call, ImgError *err);

/* Work to be timed. The function queues launches on `stream` and returns without waiting for
 * them. */
typedef ImgStatus ImgDeviceWork(void *context, void *stream, ImgError *err);

/* Context of img_device_row, which runs an implementation. img_device_prepare must have prepared
 * `call`. */
typedef struct ImgDeviceRow {
    const ImgImpl *impl;
    ImgCall *call;
} ImgDeviceRow;
ImgDeviceWork img_device_row;

/* Contexts of img_device_copy and img_device_read, which serve as limits for the rates of
 * operations. img_device_copy copies within device memory. img_device_read reads, and does almost
 * nothing with the data. */
typedef struct ImgDeviceCopy {
    void *to;
    const void *from;
    size_t size;
} ImgDeviceCopy;
ImgDeviceWork img_device_copy;

typedef struct ImgDeviceRead {
    ImgDevice *device;
    const void *from; /* start of the data, at a multiple of 16 bytes */
    size_t size;
} ImgDeviceRead;
ImgDeviceWork img_device_read;

typedef enum ImgCaches {
    /* The L2 cache contains other data, which are unchanged and therefore not written back. */
    IMG_CACHES_COLD,
    IMG_CACHES_WARM, /* The caches contain the data of the previous run. */
} ImgCaches;

/* Runs the work `repeats` times in succession, and sets *seconds to the mean time of a run. If cold
 * caches are requested, only the first run has them. The device first runs other work until all
 * runs are queued. The time therefore contains no waiting for the CPU. */
ImgStatus img_device_time(ImgDevice *device, ImgDeviceWork *work, void *context, ImgCaches caches,
                          int repeats, double *seconds, ImgError *err);

/* Sets *hertz to the clock of the multiprocessors under load. The measurement takes about 3 ms. */
ImgStatus img_device_clock(double *hertz, ImgError *err);

/* Starts a range called `name`, which NVIDIA's profilers show. NULL ends the range. Has no effect
 * without a profiler. */
void img_device_mark(const char *name);

#ifdef __cplusplus
}
#endif

#endif
