/* Executors for many pictures, one per worker. They run on the CPU until GPUs are worth their
 * start-up time and are ready; then they are spread over the GPUs. */
#ifndef IMGTOOL_APP_SCHED_DEVICE_POOL_H
#define IMGTOOL_APP_SCHED_DEVICE_POOL_H

#include "app/cli/options.h"
#include "kernels/core/exec/exec.h"

typedef struct DevicePool DevicePool;

/* Creates a pool by --backend, --impl and --device. Without --device all GPUs are used. No GPU is
 * opened yet. device_pool_free accepts NULL. */
ImgStatus device_pool_create(const Settings *settings, int workers, DevicePool **pool,
                             ImgError *err);
void device_pool_free(DevicePool *pool);

/* Opens the GPUs now and waits for them, for a server that expects pictures but has none yet.
 * *count is the number of usable GPUs. It is 0 with --backend cpu, and with auto if there is none,
 * which is not a failure. With --backend cuda IMG_E_UNAVAILABLE gives the reason. */
ImgStatus device_pool_open(DevicePool *pool, int *count, ImgError *err);

/* A picture to process, and the number of pictures left with it, which are assumed to be similar.
 */
typedef struct DeviceWork {
    const ImgStep *steps;
    size_t count;
    ImgShape shape;
    size_t pictures;
    const ImgEndsCost *ends; /* cost of the files that are read and written; NULL: only pixels */
} DeviceWork;

/* Returns the executor of a worker for its next picture, owned by `pool`. GPUs that are worth it
 * are opened in the background. The worker waits for them only if the picture would take the CPU
 * longer. */
ImgStatus device_pool_get(DevicePool *pool, int worker, const DeviceWork *picture, ImgExec **exec,
                          ImgError *err);

/* Returns true once for each GPU that failed during a run. The CPU has taken over its work. */
bool device_pool_next_lost(DevicePool *pool, int *device, const char **message);

/* Reports each of these to the user, once. */
void device_pool_report_lost(DevicePool *pool);

#endif
