#include "app/batch/execs.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "app/report.h"

enum { DEVICES_MAX = 64, UNKNOWN = -1 };

typedef struct Lane {
    ImgExec *exec;
    bool on_device; /* made after the devices were known */
} Lane;

typedef struct Device {
    int number;
    ImgOpener *opener;
    bool told; /* that it was lost */
} Device;

struct Execs {
    const Settings *settings;
    int workers;
    Lane *lanes;

    pthread_mutex_t mutex;
    pthread_cond_t known; /* the devices */
    pthread_t finder;
    bool finding;
    int device_count; /* UNKNOWN until the finder is done; 0 where there is none */
    Device devices[DEVICES_MAX];
};

ImgStatus execs_create(const Settings *settings, int workers, Execs **execs, ImgError *err)
{
    Execs *made = calloc(1, sizeof *made);
    if (made != NULL)
        made->lanes = calloc((size_t)workers, sizeof *made->lanes);
    *execs = made;
    if (made == NULL || made->lanes == NULL) {
        free(made);
        *execs = NULL;
        return img_fail(err, IMG_E_MEMORY, "no memory");
    }
    made->settings = settings;
    made->workers = workers;
    made->device_count = UNKNOWN;
    pthread_mutex_init(&made->mutex, NULL);
    pthread_cond_init(&made->known, NULL);
    return IMG_OK;
}

void execs_free(Execs *execs)
{
    if (execs == NULL)
        return;
    if (execs->finding)
        pthread_join(execs->finder, NULL);
    for (int i = 0; i < execs->workers; i++)
        img_exec_destroy(execs->lanes[i].exec);
    for (int i = 0; i < execs->device_count; i++)
        img_opener_destroy(execs->devices[i].opener);
    pthread_cond_destroy(&execs->known);
    pthread_mutex_destroy(&execs->mutex);
    free(execs->lanes);
    free(execs);
}

/* --- Finding devices: the driver takes a while to tell how many there are ------------------------
 */

static int count_devices(const Settings *settings)
{
    int count = 0;
    if (option_given(settings, "device"))
        return 1;
    if (img_cuda_devices(NULL, 0, &count, NULL) != IMG_OK)
        return 0;
    return count < DEVICES_MAX ? count : (int)DEVICES_MAX;
}

static void *find_devices(void *argument)
{
    Execs *execs = argument;
    int count = count_devices(execs->settings), made = 0;
    bool single = option_given(execs->settings, "device");
    for (; made < count; made++) {
        Device *device = &execs->devices[made];
        device->number = single ? execs->settings->device : made;
        if (img_opener_create(device->number, &device->opener, NULL) != IMG_OK)
            break;
        img_opener_start(device->opener);
    }
    pthread_mutex_lock(&execs->mutex);
    execs->device_count = made;
    pthread_cond_broadcast(&execs->known);
    pthread_mutex_unlock(&execs->mutex);
    return NULL;
}

/* With the mutex held. */
static void start_finding(Execs *execs)
{
    if (execs->finding || execs->device_count != UNKNOWN)
        return;
    execs->finding = pthread_create(&execs->finder, NULL, find_devices, execs) == 0;
    if (!execs->finding)
        execs->device_count = 0;
}

static bool is_worth(const Execs *execs, const ImgExec *exec, const ExecsPicture *picture,
                     size_t pictures, int workers)
{
    return execs->settings->backend != IMG_BACKEND_CPU && img_cuda_in_build() &&
           img_exec_is_worth_cuda(exec, picture->steps, picture->count, picture->shape, pictures,
                                  workers);
}

/* A driver that is late must not keep the workers for long. With the mutex held. */
static void wait_for_devices(Execs *execs)
{
    enum { MOST_SECONDS = 2 };
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += MOST_SECONDS;
    int waited = 0;
    while (execs->device_count == UNKNOWN && waited == 0)
        waited = pthread_cond_timedwait(&execs->known, &execs->mutex, &until);
}

/* Looks for devices if they will pay; waits for them if this one picture would. */
static void consider(Execs *execs, const ImgExec *exec, const ExecsPicture *picture)
{
    pthread_mutex_lock(&execs->mutex);
    bool known = execs->device_count != UNKNOWN;
    pthread_mutex_unlock(&execs->mutex);
    if (known || !is_worth(execs, exec, picture, picture->pictures, execs->workers))
        return;
    bool wait = is_worth(execs, exec, picture, 1, 1);
    pthread_mutex_lock(&execs->mutex);
    start_finding(execs);
    if (wait)
        wait_for_devices(execs);
    pthread_mutex_unlock(&execs->mutex);
}

/* --- Executors ----------------------------------------------------------------------------------
 */

static bool must_be_cuda(const Settings *settings)
{
    return settings->backend == IMG_BACKEND_CUDA;
}

/* The device of a worker, or NULL: none is known, or there is none. Where a GPU was asked for, it
 * is waited for. */
static Device *device_of(Execs *execs, int worker)
{
    pthread_mutex_lock(&execs->mutex);
    if (must_be_cuda(execs->settings) && img_cuda_in_build()) {
        start_finding(execs);
        while (execs->device_count == UNKNOWN)
            pthread_cond_wait(&execs->known, &execs->mutex);
    }
    int count = execs->device_count;
    pthread_mutex_unlock(&execs->mutex);
    return count > 0 ? &execs->devices[worker % count] : NULL;
}

/* Without a device, one that chooses for itself would open a context of its own. */
static ImgBackend backend_of(const Settings *settings, const Device *device)
{
    bool chooses = settings->backend == IMG_BACKEND_AUTO && settings->impl == NULL;
    return device == NULL && chooses ? IMG_BACKEND_CPU : (ImgBackend)settings->backend;
}

static ImgStatus make_exec(Execs *execs, Lane *lane, const Device *device, ImgError *err)
{
    const Settings *settings = execs->settings;
    ImgExecConfig config = {
        .backend = backend_of(settings, device),
        .impl = settings->impl,
        .device = device != NULL ? device->number : settings->device,
        .threads = 1,
        .opener = device != NULL ? device->opener : NULL,
    };
    img_exec_destroy(lane->exec);
    lane->exec = NULL;
    ImgStatus status = img_exec_create(&config, &lane->exec, err);
    lane->on_device = status == IMG_OK && device != NULL;
    return status;
}

ImgStatus execs_get(Execs *execs, int worker, const ExecsPicture *picture, ImgExec **exec,
                    ImgError *err)
{
    Lane *lane = &execs->lanes[worker];
    ImgStatus status = IMG_OK;
    if (lane->exec == NULL)
        status = make_exec(execs, lane, device_of(execs, worker), err);
    if (status == IMG_OK && !lane->on_device) {
        consider(execs, lane->exec, picture);
        const Device *device = device_of(execs, worker);
        if (device != NULL)
            status = make_exec(execs, lane, device, err);
    }
    *exec = lane->exec;
    return status;
}

bool execs_tell_lost(Execs *execs, int *device, const char **message)
{
    bool lost = false;
    pthread_mutex_lock(&execs->mutex);
    for (int i = 0; i < execs->device_count && !lost; i++) {
        Device *d = &execs->devices[i];
        lost = !d->told && img_opener_is_lost(d->opener, message);
        d->told = d->told || lost;
        *device = d->number;
    }
    pthread_mutex_unlock(&execs->mutex);
    return lost;
}

void execs_report_lost(Execs *execs)
{
    int device;
    const char *message;
    while (execs_tell_lost(execs, &device, &message))
        report_note(execs->settings, "GPU %d failed and is not used any more, the CPU goes on: %s",
                    device, message);
}
