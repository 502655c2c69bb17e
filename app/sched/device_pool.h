/* The executors of a batch: one per worker, on the CPU until the GPUs of the machine are worth
 * their start and are ready, then spread over the GPUs. */
#ifndef IMGTOOL_APP_SCHED_DEVICE_POOL_H
#define IMGTOOL_APP_SCHED_DEVICE_POOL_H

#include "app/cli/options.h"
#include "kernels/core/exec/exec.h"

typedef struct DevicePool DevicePool;

/* --backend, --impl and --device as the settings say; without --device all GPUs are used. Opens
 * nothing yet. Harmless to free NULL. */
ImgStatus device_pool_create(const Settings *settings, int workers, DevicePool **pool,
                             ImgError *err);
void device_pool_free(DevicePool *pool);

/* Opens its GPUs now and waits for them, where pictures will come and none is there to weigh.
 * *count is how many can be used: none under --backend cpu, nor, which is no failure then, under
 * auto where there is none. Under --backend cuda IMG_E_UNAVAILABLE says why. */
ImgStatus device_pool_open(DevicePool *pool, int *count, ImgError *err);

/* A picture that is to be worked on, and how many there are with it: the rest may be like it. */
typedef struct DeviceWork {
    const ImgStep *steps;
    size_t count;
    ImgShape shape;
    size_t pictures;
    const ImgEndsCost *ends; /* of files that are read and written; NULL: of pixels */
} DeviceWork;

/* The executor of a worker for its next picture, owned by `pool`. GPUs that will pay are opened in
 * the background; only for a picture that takes the CPU longer than that, they are waited for. */
ImgStatus device_pool_get(DevicePool *pool, int worker, const DeviceWork *picture, ImgExec **exec,
                          ImgError *err);

/* The next GPU that failed during a run, whose work the CPU has taken over. True once per GPU. */
bool device_pool_next_lost(DevicePool *pool, int *device, const char **message);

/* Reports each of these to the user, once. */
void device_pool_report_lost(DevicePool *pool);

#endif
