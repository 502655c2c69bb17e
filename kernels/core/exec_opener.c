/* A CUDA device that many share: its context is created once, in the background. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "kernels/core/exec_priv.h"

typedef enum State { CLOSED, OPENING, READY, LOST } State;

struct ImgOpener {
    int device;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    State state;
    pthread_t thread;
    bool has_thread;
    ImgCuda *cuda; /* keeps the context */
    ImgError failure;
};

ImgStatus img_opener_create(int device, ImgOpener **opener, ImgError *err)
{
    *opener = calloc(1, sizeof **opener);
    if (*opener == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    (*opener)->device = device;
    pthread_mutex_init(&(*opener)->mutex, NULL);
    pthread_cond_init(&(*opener)->changed, NULL);
    return IMG_OK;
}

static void *open_device(void *argument)
{
    ImgOpener *opener = argument;
    ImgCuda *cuda;
    ImgError failure = {IMG_OK, ""};
    ImgStatus status = img_cuda_open(opener->device, &cuda, &failure);
    pthread_mutex_lock(&opener->mutex);
    opener->cuda = cuda;
    opener->failure = failure;
    opener->state = status == IMG_OK ? READY : LOST;
    pthread_cond_broadcast(&opener->changed);
    pthread_mutex_unlock(&opener->mutex);
    return NULL;
}

void img_opener_start(ImgOpener *opener)
{
    pthread_mutex_lock(&opener->mutex);
    if (opener->state == CLOSED) {
        opener->has_thread = pthread_create(&opener->thread, NULL, open_device, opener) == 0;
        opener->state = opener->has_thread ? OPENING : LOST;
        if (!opener->has_thread)
            img_fail(&opener->failure, IMG_E_UNAVAILABLE, "no thread to open the GPU");
    }
    pthread_mutex_unlock(&opener->mutex);
}

ImgStatus img_opener_wait(ImgOpener *opener, ImgError *err)
{
    img_opener_start(opener);
    pthread_mutex_lock(&opener->mutex);
    while (opener->state == OPENING)
        pthread_cond_wait(&opener->changed, &opener->mutex);
    bool lost = opener->state == LOST;
    pthread_mutex_unlock(&opener->mutex);
    return lost ? img_fail(err, opener->failure.status, "%s", opener->failure.message) : IMG_OK;
}

static struct timespec moment_in(double seconds)
{
    struct timespec moment;
    const double day = 86400;
    seconds = seconds < day ? seconds : day;
    clock_gettime(CLOCK_REALTIME, &moment);
    moment.tv_sec += (time_t)seconds;
    moment.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
    moment.tv_sec += moment.tv_nsec / 1000000000L;
    moment.tv_nsec %= 1000000000L;
    return moment;
}

bool img_opener_is_ready(ImgOpener *opener, double patience, const char **why_not)
{
    struct timespec until = moment_in(patience);
    pthread_mutex_lock(&opener->mutex);
    int waited = 0;
    while (patience > 0 && opener->state == OPENING && waited == 0)
        waited = pthread_cond_timedwait(&opener->changed, &opener->mutex, &until);
    State state = opener->state;
    pthread_mutex_unlock(&opener->mutex);
    if (state != READY)
        *why_not = state == LOST ? "the GPU cannot be used" : "the GPU is not ready yet";
    return state == READY;
}

void img_opener_lose(ImgOpener *opener, const ImgError *failure)
{
    pthread_mutex_lock(&opener->mutex);
    if (opener->state == READY) {
        opener->state = LOST;
        opener->failure = *failure;
    }
    pthread_mutex_unlock(&opener->mutex);
}

bool img_opener_is_lost(ImgOpener *opener, const char **message)
{
    pthread_mutex_lock(&opener->mutex);
    bool lost = opener->state == LOST && opener->cuda != NULL;
    pthread_mutex_unlock(&opener->mutex);
    if (lost)
        *message = opener->failure.message;
    return lost;
}

void img_opener_destroy(ImgOpener *opener)
{
    if (opener == NULL)
        return;
    if (opener->has_thread)
        pthread_join(opener->thread, NULL);
    img_cuda_close(opener->cuda);
    pthread_cond_destroy(&opener->changed);
    pthread_mutex_destroy(&opener->mutex);
    free(opener);
}
