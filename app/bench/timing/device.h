/* A GPU for measurements: memory, single runs and their times. Unlike the executor
 * (kernels/core/exec/exec.h) it runs any implementation on any memory, so that each can be checked
 * and timed alone.
 *
 * All work is queued on a stream of the calling thread, on one device, which becomes the current
 * device of the thread. One thread at a time may use an open device. Without CUDA or a GPU,
 * img_device_open fails with IMG_E_UNAVAILABLE. */
#ifndef IMGTOOL_APP_BENCH_TIMING_DEVICE_H
#define IMGTOOL_APP_BENCH_TIMING_DEVICE_H

#include <stddef.h>

#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ImgDevice ImgDevice;

/* Opens a device. Takes 190 to 400 ms if the process has no CUDA context yet, because it creates
 * one. */
ImgStatus img_device_open(int index, ImgDevice **device, ImgError *err);

/* Closes the device. Does nothing for NULL. */
void img_device_close(ImgDevice *device);

const char *img_device_name(const ImgDevice *device);

/* Allocates exactly `size` bytes of device memory, which the caller frees by img_device_free.
 * img_device_free(NULL) does nothing. */
ImgStatus img_device_alloc(void **memory, size_t size, ImgError *err);
void img_device_free(void *memory);
ImgStatus img_device_upload(void *to, const void *from, size_t size, ImgError *err);
ImgStatus img_device_download(void *to, const void *from, size_t size, ImgError *err);

/* Returns the stream of the calling thread, for launches without the functions below. */
void *img_device_stream(void);

/* Waits for all work that the thread has queued. Returns an error if any of it failed. */
ImgStatus img_device_wait(ImgError *err);

/* Sets the members of `call` that an implementation needs: the stream, a workspace of exactly the
 * required size, and a copy of its constants. They are valid until the next call of this
 * function. */
ImgStatus img_device_prepare(ImgDevice *device, const ImgImpl *impl, ImgCall *call, ImgError *err);

/* Work whose time is measured: queues launches and returns. */
typedef ImgStatus ImgDeviceWork(void *context, void *stream, ImgError *err);

/* Work that runs an implementation whose call is prepared. */
typedef struct ImgDeviceRow {
    const ImgImpl *impl;
    ImgCall *call;
} ImgDeviceRow;
ImgDeviceWork img_device_row;

/* Work of the limits: a copy within device memory, and a read that does almost nothing with the
 * data. */
typedef struct ImgDeviceCopy {
    void *to;
    const void *from;
    size_t size;
} ImgDeviceCopy;
ImgDeviceWork img_device_copy;

typedef struct ImgDeviceRead {
    ImgDevice *device;
    const void *from; /* start of the data, a multiple of 16 bytes */
    size_t size;
} ImgDeviceRead;
ImgDeviceWork img_device_read;

typedef enum ImgCaches {
    IMG_CACHES_COLD, /* the L2 cache has other data, which need not be written back */
    IMG_CACHES_WARM, /* the caches have the data of the previous run */
} ImgCaches;

/* Sets *seconds to the mean time of a run on the device, for `repeats` consecutive runs. Only the
 * first of them runs with the requested caches if these are cold. Other work keeps the device busy
 * until the runs are queued, then the timer starts: so the time does not include any waiting for
 * the CPU. */
ImgStatus img_device_time(ImgDevice *device, ImgDeviceWork *work, void *context, ImgCaches caches,
                          int repeats, double *seconds, ImgError *err);

/* Sets *hertz to the clock of the multiprocessors under load. Takes about 3 ms. */
ImgStatus img_device_clock(double *hertz, ImgError *err);

/* Starts a named range in NVIDIA's profilers for the work that is queued until the next call. NULL
 * only ends the current range. Has no effect without a profiler. */
void img_device_mark(const char *name);

#ifdef __cplusplus
}
#endif

#endif
