#include "tests/unit/fake_gpus.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/exec/exec_priv.h"

/* --- State of the fake GPUs ------------------------------------------------------------------- */

struct ImgCuda {
    int device;
    char name[64];
};

typedef struct Failure {
    /* number of the call that fails, counted from 1; 0 if no call fails */
    int at;
    ImgStatus status;
} Failure;

typedef struct Gpu {
    Failure opening, run;
    int openings, runs, failed_runs;
} Gpu;

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t let_in;
    bool held, groups_held;
    int count, left_open, largest_group;
    Gpu gpus[FAKE_GPUS_MAX];
} fake = {.mutex = PTHREAD_MUTEX_INITIALIZER, .let_in = PTHREAD_COND_INITIALIZER};

void fake_gpus_install(int count)
{
    pthread_mutex_lock(&fake.mutex);
    fake.count = count;
    pthread_mutex_unlock(&fake.mutex);
}

static void set_held(bool held)
{
    pthread_mutex_lock(&fake.mutex);
    fake.held = held;
    pthread_cond_broadcast(&fake.let_in);
    pthread_mutex_unlock(&fake.mutex);
}

void fake_gpus_hold(void)
{
    set_held(true);
}

void fake_gpus_let_in(void)
{
    set_held(false);
}

void fake_gpus_fail_opening(int device, int at, ImgStatus status)
{
    pthread_mutex_lock(&fake.mutex);
    fake.gpus[device].opening = (Failure){at, status};
    pthread_mutex_unlock(&fake.mutex);
}

void fake_gpus_fail_run(int device, int at, ImgStatus status)
{
    pthread_mutex_lock(&fake.mutex);
    fake.gpus[device].run = (Failure){at, status};
    pthread_mutex_unlock(&fake.mutex);
}

static int read_number(const int *number)
{
    pthread_mutex_lock(&fake.mutex);
    int value = *number;
    pthread_mutex_unlock(&fake.mutex);
    return value;
}

int fake_gpus_openings(int device)
{
    return read_number(&fake.gpus[device].openings);
}

int fake_gpus_runs(int device)
{
    return read_number(&fake.gpus[device].runs);
}

int fake_gpus_failed_runs(int device)
{
    return read_number(&fake.gpus[device].failed_runs);
}

int fake_gpus_left_open(void)
{
    return read_number(&fake.left_open);
}

static void set_groups_held(bool held)
{
    pthread_mutex_lock(&fake.mutex);
    fake.groups_held = held;
    pthread_cond_broadcast(&fake.let_in);
    pthread_mutex_unlock(&fake.mutex);
}

void fake_gpus_hold_groups(void)
{
    set_groups_held(true);
}

void fake_gpus_let_groups_go(void)
{
    set_groups_held(false);
}

int fake_gpus_largest_group(void)
{
    return read_number(&fake.largest_group);
}

/* --- Replacements for the CUDA backend -------------------------------------------------------- */

bool img_cuda_in_build(void)
{
    return true;
}

ImgStatus img_cuda_devices(ImgDeviceInfo *devices, int capacity, int *count, ImgError *err)
{
    *count = read_number(&fake.count);
    for (int i = 0; i < *count && i < capacity; i++)
        devices[i] = (ImgDeviceInfo){.index = i};
    return *count > 0 ? IMG_OK : img_fail(err, IMG_E_UNAVAILABLE, "no fake GPU is installed");
}

/* Counts an opening of the GPU. Blocks between fake_gpus_hold and fake_gpus_let_in. Fails if the
 * test requested it. The caller holds the mutex. */
static ImgStatus enter(int device, ImgError *err)
{
    if (device >= fake.count)
        return img_fail(err, IMG_E_UNAVAILABLE, "there is no fake GPU %d", device);
    Gpu *gpu = &fake.gpus[device];
    int number = ++gpu->openings;
    while (fake.held)
        pthread_cond_wait(&fake.let_in, &fake.mutex);
    if (number == gpu->opening.at)
        return img_fail(err, gpu->opening.status, "opening %d of fake GPU %d", number, device);
    fake.left_open++;
    return IMG_OK;
}

ImgStatus img_cuda_open(int device, ImgCuda **cuda, ImgError *err)
{
    *cuda = NULL;
    pthread_mutex_lock(&fake.mutex);
    ImgStatus status = enter(device, err);
    pthread_mutex_unlock(&fake.mutex);
    if (status != IMG_OK)
        return status;
    *cuda = malloc(sizeof **cuda);
    if (*cuda == NULL)
        abort();
    (*cuda)->device = device;
    snprintf((*cuda)->name, sizeof(*cuda)->name, "fake GPU %d", device);
    return IMG_OK;
}

void img_cuda_close(ImgCuda *cuda)
{
    if (cuda == NULL)
        return;
    free(cuda);
    pthread_mutex_lock(&fake.mutex);
    fake.left_open--;
    pthread_mutex_unlock(&fake.mutex);
}

const char *img_cuda_name(const ImgCuda *cuda)
{
    return cuda->name;
}

/* Counts a run on the GPU, and fails if the test requested it. The caller holds the mutex. */
static ImgStatus begin_run(int device, ImgError *err)
{
    Gpu *gpu = &fake.gpus[device];
    int number = ++gpu->runs;
    bool fails = number == gpu->run.at;
    if (gpu->run.status == IMG_E_DEVICE && gpu->run.at > 0)
        fails = number >= gpu->run.at;
    if (!fails)
        return IMG_OK;
    gpu->failed_runs++;
    return img_fail(err, gpu->run.status, "run %d on fake GPU %d", number, device);
}

void img_cuda_free_memory(ImgCuda *cuda)
{
    (void)cuda;
}

bool img_cuda_unpin(int device, void *memory)
{
    (void)device;
    (void)memory;
    return true;
}

ImgStatus img_run_on_cuda(ImgCuda *cuda, const ImgCudaWork *work, ImgHeld *held,
                          ImgRunReport *report, ImgError *err)
{
    pthread_mutex_lock(&fake.mutex);
    ImgStatus status = begin_run(cuda->device, err);
    pthread_mutex_unlock(&fake.mutex);
    return status == IMG_OK
               ? img_run_on_cpu(work->plan, 0, work->team, work->threads, held, report, err)
               : status;
}

uint64_t img_group_bytes(const ImgGroupPicture *picture)
{
    return picture->ends->source->many_bytes;
}

/* The source and the sink of each picture do the work, as ImgDeviceEnd.work. */
ImgStatus img_group_run(ImgCuda *cuda, ImgGroupPicture *const *pictures, size_t count,
                        pthread_mutex_t *turn, ImgError *err)
{
    (void)turn;
    pthread_mutex_lock(&fake.mutex);
    ImgStatus status = begin_run(cuda->device, err);
    fake.largest_group = (int)count > fake.largest_group ? (int)count : fake.largest_group;
    while (fake.groups_held)
        pthread_cond_wait(&fake.let_in, &fake.mutex);
    pthread_mutex_unlock(&fake.mutex);
    for (size_t i = 0; status == IMG_OK && i < count; i++) {
        const ImgDeviceEnd *source = pictures[i]->ends->source, *sink = pictures[i]->ends->sink;
        pictures[i]->source = (ImgDevicePlace){.threads = 1};
        pictures[i]->sink = pictures[i]->source;
        status = source->work(source->context, &pictures[i]->source, err);
        if (status == IMG_OK)
            status = sink->work(sink->context, &pictures[i]->sink, err);
    }
    return status;
}

ImgStatus img_group_enter(const ImgCuda *cuda, ImgError *err)
{
    (void)cuda;
    (void)err;
    return IMG_OK;
}

/* --- The step for the fake GPUs --------------------------------------------------------------- */

typedef struct Params {
    uint64_t traffic;
} Params;

static ImgStatus same_shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err)
{
    (void)params;
    (void)err;
    *dst = src;
    return IMG_OK;
}

static uint64_t traffic_asked(ImgShape src, const void *params)
{
    (void)src;
    Params asked;
    memcpy(&asked, params, sizeof asked);
    return asked.traffic;
}

static ImgEffect effect_of_inverting(ImgShape src, const void *params)
{
    (void)src;
    (void)params;
    return (ImgEffect){.values_changed = true};
}

static ImgStatus invert(const ImgCall *call, ImgError *err)
{
    (void)err;
    for (int32_t y = 0; y < call->src.height; y++)
        for (int32_t x = 0; x < call->src.width; x++)
            call->dst.data[(size_t)y * call->dst.stride + (size_t)x] =
                255 - call->src.data[(size_t)y * call->src.stride + (size_t)x];
    return IMG_OK;
}

static const ImgImpl impls[] = {
    {.name = "plain", .backend = IMG_BACKEND_CPU, .run = invert},
    {.name = "fake-cuda", .backend = IMG_BACKEND_CUDA, .run = invert},
    {.name = NULL},
};

static const ImgOp op = {
    .name = "invert",
    .params_size = sizeof(Params),
    .shape = same_shape,
    .cost = {.cpu_ns_per_byte = 1, .traffic = traffic_asked},
    .effect = {.get = effect_of_inverting},
    .impls = impls,
};

ImgStep fake_step(double seconds)
{
    ImgStep step = {.op = &op};
    Params params = {(uint64_t)(seconds * 1e9)};
    memcpy(step.params.bytes, &params, sizeof params);
    return step;
}

static uint8_t sample_of(int seed, int32_t x, int32_t y)
{
    return (uint8_t)(seed * 31 + y * 16 + x);
}

ImgImage fake_picture(int seed)
{
    ImgImage image;
    if (img_image_alloc((ImgShape){FAKE_WIDTH, FAKE_HEIGHT, {IMG_COLOR_GRAY, 8}}, &image, NULL) !=
        IMG_OK)
        abort();
    for (int32_t y = 0; y < FAKE_HEIGHT; y++)
        for (int32_t x = 0; x < FAKE_WIDTH; x++)
            image.view.data[(size_t)y * image.view.stride + (size_t)x] = sample_of(seed, x, y);
    return image;
}

bool fake_picture_is_inverted(const ImgImage *image, int seed)
{
    if (image->view.width != FAKE_WIDTH || image->view.height != FAKE_HEIGHT)
        return false;
    for (int32_t y = 0; y < FAKE_HEIGHT; y++)
        for (int32_t x = 0; x < FAKE_WIDTH; x++)
            if (image->view.data[(size_t)y * image->view.stride + (size_t)x] !=
                255 - sample_of(seed, x, y))
                return false;
    return true;
}
