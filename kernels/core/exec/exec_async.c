/* A CUDA device that several executors share. A background thread creates its context once. The
 * device has several lanes, each with a stream and buffers. One run at a time uses a lane. */
#include <stdlib.h>

#include "kernels/core/exec/exec_pace.h"
#include "kernels/core/exec/exec_priv.h"
#include "kernels/core/parallel/clock.h"
#include "kernels/core/parallel/lock.h"

typedef enum State { CLOSED, OPENING, READY, LOST } State;

typedef struct Lane {
    ImgCuda *cuda; /* stream and buffers; NULL if the lane has not been opened yet */
    bool busy;
    bool alone; /* true: no other lane may be in use at the same time */
} Lane;

struct ImgAsyncDevice {
    int device;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    State state;
    pthread_t thread;
    bool has_thread;
    double started;
    Lane lanes[IMG_PACE_PLACES]; /* lane 0 is opened together with the device */
    pthread_cond_t lane_free;
    /* number of runs that use the device alone or wait to do so; while it is above 0, no other run
     * gets a lane */
    int loners;
    /* lock that the first run of each lane must hold (img_async_device_turn) */
    pthread_mutex_t turn;
    ImgError failure;
    ImgPace pace;
    ImgGroups *groups;
};

ImgStatus img_async_device_create(int device, ImgAsyncDevice **async, ImgError *err)
{
    ImgGroups *groups = img_groups_create();
    *async = groups != NULL ? calloc(1, sizeof **async) : NULL;
    if (*async == NULL) {
        img_groups_free(groups);
        return img_fail(err, IMG_E_MEMORY, "no memory");
    }
    (*async)->groups = groups;
    (*async)->device = device;
    img_lock_init(&(*async)->mutex);
    img_condition_init(&(*async)->changed);
    img_condition_init(&(*async)->lane_free);
    pthread_mutex_init(&(*async)->turn, NULL);
    img_pace_init(&(*async)->pace);
    return IMG_OK;
}

static void *open_device(void *argument)
{
    ImgAsyncDevice *async = argument;
    ImgCuda *cuda;
    ImgError failure = {IMG_OK, ""};
    ImgStatus status = img_cuda_open(async->device, &cuda, &failure);
    pthread_mutex_lock(&async->mutex);
    async->lanes[0].cuda = cuda;
    async->failure = failure;
    async->state = status == IMG_OK ? READY : LOST;
    pthread_cond_broadcast(&async->changed);
    pthread_mutex_unlock(&async->mutex);
    return NULL;
}

void img_async_device_start(ImgAsyncDevice *async)
{
    pthread_mutex_lock(&async->mutex);
    if (async->state == CLOSED) {
        async->started = img_clock();
        async->has_thread = pthread_create(&async->thread, NULL, open_device, async) == 0;
        async->state = async->has_thread ? OPENING : LOST;
        if (!async->has_thread)
            img_fail(&async->failure, IMG_E_UNAVAILABLE, "no thread to open the GPU");
    }
    pthread_mutex_unlock(&async->mutex);
}

ImgStatus img_async_device_wait(ImgAsyncDevice *async, ImgError *err)
{
    img_async_device_start(async);
    pthread_mutex_lock(&async->mutex);
    while (async->state == OPENING)
        pthread_cond_wait(&async->changed, &async->mutex);
    bool lost = async->state == LOST;
    pthread_mutex_unlock(&async->mutex);
    return lost ? img_fail(err, async->failure.status, "%s", async->failure.message) : IMG_OK;
}

static bool has_busy_lanes(const ImgAsyncDevice *async)
{
    for (int i = 0; i < IMG_PACE_PLACES; i++)
        if (async->lanes[i].busy)
            return true;
    return false;
}

/* Returns an idle lane, preferably one that is already open, or NULL if the run must wait. A run
 * that uses the device alone (`alone`) must wait while any lane is busy. Other runs must wait while
 * all lanes are busy, or while some run uses the device alone or waits to do so. The caller must
 * hold the mutex. */
static Lane *free_lane(ImgAsyncDevice *async, bool alone)
{
    Lane *found = NULL;
    if (alone ? has_busy_lanes(async) : async->loners > 0)
        return NULL;
    for (int i = 0; i < IMG_PACE_PLACES; i++) {
        Lane *lane = &async->lanes[i];
        if (!lane->busy && (found == NULL || (found->cuda == NULL && lane->cuda != NULL)))
            found = lane;
    }
    return found;
}

/* Marks a lane as idle. The caller must hold the mutex. */
static void leave_lane(ImgAsyncDevice *async, Lane *lane)
{
    async->loners -= lane->alone;
    lane->busy = lane->alone = false;
    /* wakes all waiting runs, because a run that waits for the device alone may not be able to use
     * this lane, but another run may */
    pthread_cond_broadcast(&async->lane_free);
}

/* Opens a lane, which takes only milliseconds because the context already exists. */
static ImgStatus open_lane(ImgAsyncDevice *async, Lane *lane, ImgCuda **cuda, ImgError *err)
{
    ImgStatus status = img_cuda_open(async->device, cuda, err);
    pthread_mutex_lock(&async->mutex);
    lane->cuda = *cuda;
    if (status != IMG_OK)
        leave_lane(async, lane);
    pthread_mutex_unlock(&async->mutex);
    return status;
}

/* Takes an idle lane after the device has been opened. Fails if the device is lost while the run
 * waits for a lane. */
static ImgStatus take(ImgAsyncDevice *async, bool alone, ImgCuda **cuda, ImgError *err)
{
    Lane *lane = NULL;
    ImgStatus status = img_async_device_wait(async, err);
    if (status != IMG_OK)
        return status;
    pthread_mutex_lock(&async->mutex);
    async->loners += alone;
    while (async->state == READY && (lane = free_lane(async, alone)) == NULL)
        pthread_cond_wait(&async->lane_free, &async->mutex);
    if (lane != NULL) {
        lane->busy = true;
        lane->alone = alone;
        *cuda = lane->cuda;
    } else {
        /* the device was lost, so the run ends and no longer counts as one that waits to use the
         * device alone */
        async->loners -= alone;
    }
    pthread_mutex_unlock(&async->mutex);
    if (lane == NULL)
        return img_fail(err, async->failure.status, "%s", async->failure.message);
    return *cuda != NULL ? IMG_OK : open_lane(async, lane, cuda, err);
}

ImgStatus img_async_device_take(ImgAsyncDevice *async, ImgCuda **cuda, ImgError *err)
{
    return take(async, false, cuda, err);
}

ImgStatus img_async_device_take_alone(ImgAsyncDevice *async, ImgCuda **cuda, ImgError *err)
{
    ImgStatus status = take(async, true, cuda, err);
    if (status != IMG_OK)
        return status;
    img_cuda_free_memory(*cuda);
    img_async_device_free_idle(async);
    return IMG_OK;
}

/* Frees the memory of all lanes (streams with their buffers) that no run uses. Freeing may wait for
 * all work of the GPU, so the function does not hold the mutex meanwhile. Instead it marks these
 * lanes as busy. */
void img_async_device_free_idle(ImgAsyncDevice *async)
{
    Lane *idle[IMG_PACE_PLACES];
    int count = 0;
    pthread_mutex_lock(&async->mutex);
    for (int i = 0; i < IMG_PACE_PLACES; i++)
        if (async->lanes[i].cuda != NULL && !async->lanes[i].busy) {
            async->lanes[i].busy = true;
            idle[count++] = &async->lanes[i];
        }
    pthread_mutex_unlock(&async->mutex);
    for (int i = 0; i < count; i++)
        img_cuda_free_memory(idle[i]->cuda);
    pthread_mutex_lock(&async->mutex);
    for (int i = 0; i < count; i++)
        leave_lane(async, idle[i]);
    pthread_mutex_unlock(&async->mutex);
}

void img_async_device_give(ImgAsyncDevice *async, const ImgCuda *cuda)
{
    pthread_mutex_lock(&async->mutex);
    for (int i = 0; i < IMG_PACE_PLACES; i++)
        if (async->lanes[i].cuda == cuda)
            leave_lane(async, &async->lanes[i]);
    pthread_mutex_unlock(&async->mutex);
}

pthread_mutex_t *img_async_device_turn(ImgAsyncDevice *async)
{
    return &async->turn;
}

bool img_async_device_is_ready(ImgAsyncDevice *async, double patience, const char **why_not)
{
    struct timespec until = img_deadline_in(patience);
    pthread_mutex_lock(&async->mutex);
    int waited = 0;
    while (patience > 0 && async->state == OPENING && waited == 0)
        waited = pthread_cond_timedwait(&async->changed, &async->mutex, &until);
    State state = async->state;
    pthread_mutex_unlock(&async->mutex);
    if (state != READY)
        *why_not = state == LOST ? "the GPU cannot be used" : "the GPU is not ready yet";
    return state == READY;
}

double img_async_device_opening(ImgAsyncDevice *async)
{
    pthread_mutex_lock(&async->mutex);
    double seconds = async->state == OPENING ? img_clock() - async->started : 0;
    pthread_mutex_unlock(&async->mutex);
    return seconds;
}

ImgPace *img_async_device_pace(ImgAsyncDevice *async)
{
    return &async->pace;
}

ImgGroups *img_async_device_groups(ImgAsyncDevice *async)
{
    return async->groups;
}

void img_async_device_lose(ImgAsyncDevice *async, const ImgError *failure)
{
    pthread_mutex_lock(&async->mutex);
    if (async->state == READY) {
        async->state = LOST;
        async->failure = *failure;
        pthread_cond_broadcast(&async->lane_free); /* wakes the runs that wait for a lane */
    }
    pthread_mutex_unlock(&async->mutex);
}

bool img_async_device_is_lost(ImgAsyncDevice *async, const char **message)
{
    pthread_mutex_lock(&async->mutex);
    bool lost = async->state == LOST && async->lanes[0].cuda != NULL;
    pthread_mutex_unlock(&async->mutex);
    if (lost)
        *message = async->failure.message;
    return lost;
}

void img_async_device_destroy(ImgAsyncDevice *async)
{
    if (async == NULL)
        return;
    if (async->has_thread)
        pthread_join(async->thread, NULL);
    for (int i = 0; i < IMG_PACE_PLACES; i++)
        img_cuda_close(async->lanes[i].cuda);
    img_groups_free(async->groups);
    img_pace_destroy(&async->pace);
    pthread_cond_destroy(&async->lane_free);
    pthread_mutex_destroy(&async->turn);
    pthread_cond_destroy(&async->changed);
    pthread_mutex_destroy(&async->mutex);
    free(async);
}
