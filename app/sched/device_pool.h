/* Executors for many pictures, one per worker. They run on the CPU until GPUs are ready and worth
 * their start-up time. From then on the workers are spread over the GPUs. */
#ifndef IMGTOOL_APP_SCHED_DEVICE_POOL_H
#define IMGTOOL_APP_SCHED_DEVICE_POOL_H

#include "app/cli/options.h"
#include "kernels/core/exec/exec.h"

typedef struct DevicePool DevicePool;

/* Creates a pool according to --backend, --impl and --device. Without --device, all GPUs are used.
 * No GPU is opened yet. device_pool_free accepts NULL. */
ImgStatus device_pool_create(const Settings *settings, int workers, DevicePool **pool,
                             ImgError *err);
void device_pool_free(DevicePool *pool);

/* Opens the GPUs now and waits for them. Used by a server, which expects pictures but has none yet.
 * Sets *count to the number of usable GPUs. It is 0 with --backend cpu, and with --backend auto if
 * there is no GPU, which is not a failure. With --backend cuda, fails with IMG_E_UNAVAILABLE and
 * the reason. */
ImgStatus device_pool_open(DevicePool *pool, int *count, ImgError *err);

/* A picture to process, and the number of pictures that remain, including it. They are assumed to
 * be similar. */
typedef struct DeviceWork {
    const ImgStep *steps;
    size_t count;
    ImgShape shape;
    size_t pictures;
    const ImgEndsCost *ends; /* cost of the files that are read and written; NULL: only pixels */
} DeviceWork;

/* Returns the executor that the worker uses for its next picture; it belongs to `pool`. If GPUs are
 * worth it they are opened in the background. The worker waits for them only if the CPU would need
 * longer for the picture. */
ImgStatus device_pool_get(DevicePool *pool, int worker, const DeviceWork *picture, ImgExec **exec,
                          ImgError *err);

/* Returns true once for each GPU that failed during a run, with its number and the reason. The CPU
 * has taken over its work. */
bool device_pool_next_lost(DevicePool *pool, int *device, const char **message);

/* Reports each GPU that failed to the user, once. */
void device_pool_report_lost(DevicePool *pool);

#endif
