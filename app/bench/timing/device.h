/* A GPU for measuring: memory, single runs, and how long they take. Unlike the executor
 * (core/exec/exec.h) it runs any implementation on any memory, so that each can be checked and
 * timed alone.
 *
 * Everything is queued on a stream of the calling thread's own, of one device, which is made that
 * thread's; a device that is open is one thread's at a time. In a build without CUDA, and where
 * there is no GPU, img_device_open fails with IMG_E_UNAVAILABLE. */
#ifndef IMGTOOL_APP_BENCH_TIMING_DEVICE_H
#define IMGTOOL_APP_BENCH_TIMING_DEVICE_H

#include <stddef.h>

#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ImgDevice ImgDevice;

/* Creates the context where the process has none yet, which takes 190 to 400 ms. */
ImgStatus img_device_open(int index, ImgDevice **device, ImgError *err);

/* Harmless on NULL. */
void img_device_close(ImgDevice *device);

const char *img_device_name(const ImgDevice *device);

/* Memory of exactly that size, freed by the caller; NULL may be freed. */
ImgStatus img_device_alloc(void **memory, size_t size, ImgError *err);
void img_device_free(void *memory);
ImgStatus img_device_upload(void *to, const void *from, size_t size, ImgError *err);
ImgStatus img_device_download(void *to, const void *from, size_t size, ImgError *err);

/* The calling thread's stream, for launches by hand. */
void *img_device_stream(void);

/* Waits for all that the thread has queued; what failed meanwhile is reported here. */
ImgStatus img_device_wait(ImgError *err);

/* Gives `call` the stream, the workspace that the implementation asks for, of exactly its size, and
 * a copy of its constants; valid until the next call. */
ImgStatus img_device_prepare(ImgDevice *device, const ImgImpl *impl, ImgCall *call, ImgError *err);

/* Work that can be timed: queues launches and returns. */
typedef ImgStatus ImgDeviceWork(void *context, void *stream, ImgError *err);

/* Runs an implementation whose call is prepared. */
typedef struct ImgDeviceRow {
    const ImgImpl *impl;
    ImgCall *call;
} ImgDeviceRow;
ImgDeviceWork img_device_row;

/* The rates that implementations are compared to: a copy within device memory, and reading it with
 * next to no work on what is read. */
typedef struct ImgDeviceCopy {
    void *to;
    const void *from;
    size_t size;
} ImgDeviceCopy;
ImgDeviceWork img_device_copy;

typedef struct ImgDeviceRead {
    ImgDevice *device;
    const void *from; /* at a multiple of 16 bytes */
    size_t size;
} ImgDeviceRead;
ImgDeviceWork img_device_read;

typedef enum ImgCaches {
    IMG_CACHES_COLD, /* the second-level cache holds other data, and has written them back */
    IMG_CACHES_WARM, /* the caches hold what the run before left */
} ImgCaches;

/* Seconds that a run takes on the device, the mean of `repeats` runs one right after the other; of
 * more than one only the first is cold. Waiting for the CPU is not included: the device is kept
 * busy with other work until the runs are queued, and then the clock starts. */
ImgStatus img_device_time(ImgDevice *device, ImgDeviceWork *work, void *context, ImgCaches caches,
                          int repeats, double *seconds, ImgError *err);

/* The clock of the multiprocessors while they work, in hertz; takes some 3 ms. */
ImgStatus img_device_clock(double *hertz, ImgError *err);

/* Names what is queued until the next call, for NVIDIA's profilers; NULL ends it. No effect without
 * a profiler. */
void img_device_mark(const char *name);

#ifdef __cplusplus
}
#endif

#endif
