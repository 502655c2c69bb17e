#include "app/engine/share/device_pool.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "app/engine/share/resources.h"
#include "kernels/core/parallel/clock.h"

enum { DEVICES_MAX = 64, UNKNOWN = -1 };

typedef struct Worker {
    ImgExec *exec;
    bool on_device; /* true if the executor was created for a device that the search had found */
} Worker;

typedef struct Device {
    int number;
    ImgAsyncDevice *async_device;
    bool reported; /* a message that this device failed was printed */
} Device;

struct DevicePool {
    const EngineOptions *options;
    int worker_count;
    Worker *workers;

    pthread_mutex_t mutex;
    pthread_cond_t known; /* signalled when the devices have been found */
    pthread_t finder;
    bool finding;
    double found_from; /* time when the search for devices started */
    int device_count;  /* UNKNOWN until the search has finished; 0: there are none */
    Device devices[DEVICES_MAX];
};

ImgStatus img_device_pool_create(const EngineOptions *options, int workers, DevicePool **pool,
                                 ImgError *err)
{
    DevicePool *made = calloc(1, sizeof *made);
    if (made != NULL)
        made->workers = calloc((size_t)workers, sizeof *made->workers);
    *pool = made;
    if (made == NULL || made->workers == NULL) {
        free(made);
        *pool = NULL;
        return img_fail(err, IMG_E_MEMORY, "no memory");
    }
    made->options = options;
    made->worker_count = workers;
    made->device_count = UNKNOWN;
    pthread_mutex_init(&made->mutex, NULL);
    img_condition_init(&made->known);
    return IMG_OK;
}

void img_device_pool_free(DevicePool *pool)
{
    if (pool == NULL)
        return;
    if (pool->finding)
        pthread_join(pool->finder, NULL);
    for (int i = 0; i < pool->worker_count; i++)
        img_exec_destroy(pool->workers[i].exec);
    for (int i = 0; i < pool->device_count; i++)
        img_async_device_destroy(pool->devices[i].async_device);
    pthread_cond_destroy(&pool->known);
    pthread_mutex_destroy(&pool->mutex);
    free(pool->workers);
    free(pool);
}

/* --- Finding devices, which takes the driver a while ------------------------------------------ */

static int count_devices(const EngineOptions *options)
{
    int count = 0;
    if ((options->given & ENGINE_GIVEN_DEVICE) != 0)
        return 1;
    if (img_cuda_devices(NULL, 0, &count, NULL) != IMG_OK)
        return 0;
    return count < DEVICES_MAX ? count : (int)DEVICES_MAX;
}

static void *find_devices(void *argument)
{
    DevicePool *pool = argument;
    int count = count_devices(pool->options), made = 0;
    bool single = (pool->options->given & ENGINE_GIVEN_DEVICE) != 0;
    for (; made < count; made++) {
        Device *device = &pool->devices[made];
        device->number = single ? pool->options->device : made;
        if (img_async_device_create(device->number, &device->async_device, NULL) != IMG_OK)
            break;
        img_async_device_start(device->async_device);
    }
    pthread_mutex_lock(&pool->mutex);
    pool->device_count = made;
    pthread_cond_broadcast(&pool->known);
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

/* Starts the thread that finds devices. The caller holds the mutex. */
static void start_finding(DevicePool *pool)
{
    if (pool->finding || pool->device_count != UNKNOWN)
        return;
    pool->found_from = img_clock();
    pool->finding = pthread_create(&pool->finder, NULL, find_devices, pool) == 0;
    if (!pool->finding)
        pool->device_count = 0;
}

/* Returns whether a GPU is worth its start-up time for `pictures` pictures like `picture`.
 * `workers` is the number of threads that work at the same time. */
static bool is_worth(const DevicePool *pool, const ImgExec *exec, const DeviceWork *picture,
                     size_t pictures, int workers)
{
    return pool->options->backend != IMG_BACKEND_CPU && img_cuda_in_build() &&
           img_exec_is_worth_cuda(exec, picture->steps, picture->count, picture->shape,
                                  picture->ends, pictures, workers);
}

/* Waits until the devices are found, but at most `seconds` after the search started, so that a slow
 * driver does not delay the workers. The caller holds the mutex. */
static void wait_for_devices(DevicePool *pool, double seconds)
{
    double left = pool->found_from + seconds - img_clock();
    struct timespec until = img_deadline_in(left > 0 ? left : 0);
    int waited = left > 0 ? 0 : ETIMEDOUT;
    while (pool->device_count == UNKNOWN && waited == 0)
        waited = pthread_cond_timedwait(&pool->known, &pool->mutex, &until);
}

/* Starts the search for devices if a GPU is worth its start-up time. Then waits a short time for
 * the devices, since other work would slow down the driver. Waits longer if a GPU is worth its
 * start-up time for this picture alone. */
static void consider(DevicePool *pool, const ImgExec *exec, const DeviceWork *picture)
{
    pthread_mutex_lock(&pool->mutex);
    bool known = pool->device_count != UNKNOWN;
    pthread_mutex_unlock(&pool->mutex);
    const int at_work = img_resources_jobs_at_work(pool->options);
    const int workers = pool->worker_count < at_work ? pool->worker_count : at_work;
    if (known || !is_worth(pool, exec, picture, picture->pictures, workers))
        return;
    const double usual = 0.5, most = 2;
    bool alone = is_worth(pool, exec, picture, 1, 1);
    pthread_mutex_lock(&pool->mutex);
    start_finding(pool);
    wait_for_devices(pool, alone ? most : usual);
    pthread_mutex_unlock(&pool->mutex);
}

/* --- Executors -------------------------------------------------------------------------------- */

static bool must_be_cuda(const EngineOptions *options)
{
    return options->backend == IMG_BACKEND_CUDA;
}

/* Returns the device of a worker, or NULL if no device is known. If the user requested a GPU, waits
 * until devices are found. */
static Device *device_of(DevicePool *pool, int worker)
{
    pthread_mutex_lock(&pool->mutex);
    if (must_be_cuda(pool->options) && img_cuda_in_build()) {
        start_finding(pool);
        while (pool->device_count == UNKNOWN)
            pthread_cond_wait(&pool->known, &pool->mutex);
    }
    int count = pool->device_count;
    pthread_mutex_unlock(&pool->mutex);
    return count > 0 ? &pool->devices[worker % count] : NULL;
}

ImgStatus img_device_pool_open(DevicePool *pool, int *count, ImgError *err)
{
    ImgError failure = {IMG_OK, ""};
    int there = 0;
    *count = 0;
    if (pool->options->backend == IMG_BACKEND_CPU)
        return IMG_OK;
    if (img_cuda_devices(NULL, 0, &there, &failure) == IMG_OK) {
        pthread_mutex_lock(&pool->mutex);
        start_finding(pool);
        while (pool->device_count == UNKNOWN)
            pthread_cond_wait(&pool->known, &pool->mutex);
        int known = pool->device_count;
        pthread_mutex_unlock(&pool->mutex);
        for (int i = 0; i < known; i++)
            if (img_async_device_wait(pool->devices[i].async_device, &failure) == IMG_OK)
                ++*count;
    }
    if (*count > 0 || !must_be_cuda(pool->options))
        return IMG_OK;
    return img_fail(err, IMG_E_UNAVAILABLE, "%s",
                    failure.status != IMG_OK ? failure.message : "there is no GPU");
}

/* Returns the backend of an executor. Without a device, `auto` becomes the CPU, because an executor
 * that chooses by itself would open a CUDA context of its own. */
static ImgBackend backend_of(const EngineOptions *options, const Device *device)
{
    bool chooses = options->backend == IMG_BACKEND_AUTO && options->impl == NULL;
    return device == NULL && chooses && img_cuda_in_build() ? IMG_BACKEND_CPU
                                                            : (ImgBackend)options->backend;
}

static ImgStatus make_exec(DevicePool *pool, Worker *state, const Device *device, ImgError *err)
{
    const EngineOptions *options = pool->options;
    ImgExecConfig config = {
        .backend = backend_of(options, device),
        .impl = options->impl,
        .device = device != NULL ? device->number : options->device,
        .threads = 1,
        .async_device = device != NULL ? device->async_device : NULL,
    };
    img_exec_destroy(state->exec);
    state->exec = NULL;
    ImgStatus status = img_exec_create(&config, &state->exec, err);
    state->on_device = status == IMG_OK && device != NULL;
    return status;
}

ImgStatus img_device_pool_get(DevicePool *pool, int worker, const DeviceWork *picture,
                              ImgExec **exec, ImgError *err)
{
    Worker *state = &pool->workers[worker];
    ImgStatus status = IMG_OK;
    if (state->exec == NULL)
        status = make_exec(pool, state, device_of(pool, worker), err);
    if (status == IMG_OK && !state->on_device) {
        consider(pool, state->exec, picture);
        const Device *device = device_of(pool, worker);
        if (device != NULL)
            status = make_exec(pool, state, device, err);
    }
    *exec = state->exec;
    return status;
}

bool img_device_pool_next_lost(DevicePool *pool, int *device, const char **message)
{
    bool lost = false;
    pthread_mutex_lock(&pool->mutex);
    for (int i = 0; i < pool->device_count && !lost; i++) {
        Device *d = &pool->devices[i];
        lost = !d->reported && img_async_device_is_lost(d->async_device, message);
        d->reported = d->reported || lost;
        *device = d->number;
    }
    pthread_mutex_unlock(&pool->mutex);
    return lost;
}

void img_device_pool_report_lost(DevicePool *pool)
{
    int device;
    const char *message;
    while (img_device_pool_next_lost(pool, &device, &message))
        img_engine_note(pool->options, "GPU %d failed and is no longer used%s: %s", device,
                        must_be_cuda(pool->options) ? "" : "; continuing on the CPU", message);
}
