/* A GPU for measurements: memory, single runs and their times. Unlike the executor
 * (core/exec/exec.h) it runs any implementation on any memory, so that each can be checked and
 * timed alone.
 *
 * Everything is queued on the calling thread's own stream, on one device, which becomes the current
 * device of that thread. One thread at a time may use an open device. Without CUDA or a GPU,
 * img_device_open fails with IMG_E_UNAVAILABLE. */
#ifndef IMGTOOL_APP_BENCH_TIMING_DEVICE_H
#define IMGTOOL_APP_BENCH_TIMING_DEVICE_H

#include <stddef.h>

#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ImgDevice ImgDevice;

/* Opens a device. If the process has no context yet, creating one takes 190 to 400 ms. */
ImgStatus img_device_open(int index, ImgDevice **device, ImgError *err);

/* Does nothing for NULL. */
void img_device_close(ImgDevice *device);

const char *img_device_name(const ImgDevice *device);

/* Allocates exactly that size; the caller frees it. NULL may be freed. */
ImgStatus img_device_alloc(void **memory, size_t size, ImgError *err);
void img_device_free(void *memory);
ImgStatus img_device_upload(void *to, const void *from, size_t size, ImgError *err);
ImgStatus img_device_download(void *to, const void *from, size_t size, ImgError *err);

/* Returns the calling thread's stream, for direct launches. */
void *img_device_stream(void);

/* Waits for all work that the thread has queued, and reports its errors. */
ImgStatus img_device_wait(ImgError *err);

/* Gives `call` the stream, a workspace of exactly the size that the implementation needs, and a
 * copy of its constants. Valid until the next call. */
ImgStatus img_device_prepare(ImgDevice *device, const ImgImpl *impl, ImgCall *call, ImgError *err);

/* Work to time: queues launches and returns. */
typedef ImgStatus ImgDeviceWork(void *context, void *stream, ImgError *err);

/* Runs an implementation whose call is prepared. */
typedef struct ImgDeviceRow {
    const ImgImpl *impl;
    ImgCall *call;
} ImgDeviceRow;
ImgDeviceWork img_device_row;

/* Limits for comparison: a copy within device memory, and a read with almost no work on the
 * data. */
typedef struct ImgDeviceCopy {
    void *to;
    const void *from;
    size_t size;
} ImgDeviceCopy;
ImgDeviceWork img_device_copy;

typedef struct ImgDeviceRead {
    ImgDevice *device;
    const void *from; /* a multiple of 16 bytes */
    size_t size;
} ImgDeviceRead;
ImgDeviceWork img_device_read;

typedef enum ImgCaches {
    IMG_CACHES_COLD, /* the L2 cache holds other data that are written back */
    IMG_CACHES_WARM, /* the caches hold the data of the previous run */
} ImgCaches;

/* Returns the mean seconds of a run on the device, for `repeats` consecutive runs, of which only
 * the first is cold. Waiting for the CPU is excluded: other work keeps the device busy until the
 * runs are queued, then the clock starts. */
ImgStatus img_device_time(ImgDevice *device, ImgDeviceWork *work, void *context, ImgCaches caches,
                          int repeats, double *seconds, ImgError *err);

/* Measures the clock of the multiprocessors under load in hertz; takes about 3 ms. */
ImgStatus img_device_clock(double *hertz, ImgError *err);

/* Names the work that is queued until the next call, for NVIDIA's profilers; NULL ends the range.
 * Has no effect without a profiler. */
void img_device_mark(const char *name);

#ifdef __cplusplus
}
#endif

#endif
