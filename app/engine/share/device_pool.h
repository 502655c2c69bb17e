/* Executors for many pictures, one per worker. They run on the CPU until GPUs are ready and worth
 * their start-up time. From then on the workers are spread over the GPUs. */
#ifndef IMGTOOL_APP_ENGINE_SHARE_DEVICE_POOL_H
#define IMGTOOL_APP_ENGINE_SHARE_DEVICE_POOL_H

#include "app/engine/share/options.h"
#include "kernels/core/exec/exec.h"

typedef struct DevicePool DevicePool;

/* Creates a pool according to --backend, --impl and --device. Without --device, the pool uses all
 * GPUs. Opens no GPU yet. img_device_pool_free accepts NULL. */
ImgStatus img_device_pool_create(const EngineOptions *options, int workers, DevicePool **pool,
                                 ImgError *err);
void img_device_pool_free(DevicePool *pool);

/* Opens the GPUs at once, and waits for them. Used by the server, which has no pictures yet when it
 * starts. Sets *count to the number of usable GPUs. It is 0 with --backend cpu, and with --backend
 * auto if there is no GPU, which is not a failure. With --backend cuda, fails with
 * IMG_E_UNAVAILABLE and the reason. */
ImgStatus img_device_pool_open(DevicePool *pool, int *count, ImgError *err);

/* A picture to process. `pictures` is the number of pictures that remain, including this one; they
 * are assumed to be similar. */
typedef struct DeviceWork {
    const ImgStep *steps;
    size_t count;
    ImgShape shape;
    size_t pictures;
    /* cost of reading and writing the files; NULL: there are no files, only pixels */
    const ImgEndsCost *ends;
} DeviceWork;

/* Sets *exec to the executor for the worker's next picture; it belongs to `pool`. If GPUs are worth
 * their start-up time, they are opened in the background. The worker waits for them only if the CPU
 * would need longer for the picture. */
ImgStatus img_device_pool_get(DevicePool *pool, int worker, const DeviceWork *picture,
                              ImgExec **exec, ImgError *err);

/* Returns true once for each GPU that failed during a run. Sets *device to its number and *message
 * to the reason. The CPU has taken over its work. */
bool img_device_pool_next_lost(DevicePool *pool, int *device, const char **message);

/* Prints a message about each GPU that failed, once. */
void img_device_pool_report_lost(DevicePool *pool);

#endif
