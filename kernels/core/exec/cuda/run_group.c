/* Runs a group of small pictures: moves all files to the device, decodes them together, runs their
 * steps, encodes the results together, and moves them back. */
#include <stdio.h>
#include <stdlib.h>

#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/exec/cuda/device_priv.h"
#include "kernels/core/exec/many.h"

enum { ALIGNMENT = 256 };

/* Offsets of the lists of sources, steps and sinks in the pinned memory of the lane. */
typedef struct Lists {
    size_t source, steps, sink, end;
} Lists;

typedef struct Run {
    ImgCuda *cuda;
    ImgGroupPicture *const *pictures;
    size_t count;
    ImgMany *many; /* NULL: no picture has steps */
    Lists lists;
    size_t common; /* bytes of device memory that sources, steps and sinks use one after another */
    size_t end;    /* bytes of device memory of the pictures, behind which `common` is */
    int marks;
    size_t step_count; /* number of pictures that have steps */
    /* contexts of the ends, and their places */
    void *sources[IMG_GROUP_MOST], *sinks[IMG_GROUP_MOST];
    ImgDevicePlace source_places[IMG_GROUP_MOST], sink_places[IMG_GROUP_MOST];
    ImgManyPicture steps[IMG_GROUP_MOST]; /* the pictures that have steps */
} Run;

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static size_t image_bytes(ImgShape shape)
{
    return aligned(img_device_pitch(shape) * (size_t)shape.height);
}

static ImgShape shape_after(const ImgGroupPicture *picture)
{
    ImgShape shape = picture->ends->shape;
    for (size_t i = 0; i < picture->count; i++)
        if (picture->steps[i].op->shape(shape, picture->steps[i].params.bytes, &shape, NULL) !=
            IMG_OK)
            break; /* the plan of the steps reports it */
    return shape;
}

uint64_t img_group_bytes(const ImgGroupPicture *picture)
{
    return aligned(picture->ends->source->many_bytes) + aligned(picture->ends->sink->many_bytes) +
           image_bytes(picture->ends->shape) + image_bytes(shape_after(picture));
}

/* --- Memory ----------------------------------------------------------------------------------- */

static ImgDevicePlace place_of(const Run *run, void *device, void *host, ImgView view)
{
    return (ImgDevicePlace){.view = view,
                            .device = device,
                            .host = host,
                            .stream = run->cuda->stream,
                            .second_stream = run->cuda->second_stream,
                            .threads = 1};
}

/* Places the pictures from `memory` on, or only computes their size if `memory` is NULL. */
static void place_pictures(Run *run, uint8_t *memory)
{
    size_t at = 0;
    run->step_count = 0;
    for (size_t i = 0; i < run->count; i++) {
        ImgGroupPicture *picture = run->pictures[i];
        const ImgShape before = picture->ends->shape, after = shape_after(picture);
        ImgHostMemory *host = picture->exec->host;
        uint8_t *source = memory + at;
        at += aligned(picture->ends->source->many_bytes);
        const ImgView from = img_view_make(memory + at, img_device_pitch(before), before);
        at += image_bytes(before);
        ImgView to = from;
        if (picture->count > 0) {
            to = img_view_make(memory + at, img_device_pitch(after), after);
            at += image_bytes(after);
            run->steps[run->step_count++] =
                (ImgManyPicture){picture->steps, picture->count, from, to};
        }
        picture->source = place_of(run, source, host[IMG_HOST_OF_SOURCE].memory, from);
        picture->sink = place_of(run, memory + at, host[IMG_HOST_OF_SINK].memory, to);
        at += aligned(picture->ends->sink->many_bytes);
        run->source_places[i] = picture->source;
        run->sink_places[i] = picture->sink;
    }
    run->end = at;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Plans the steps, and computes the memory for lists and for common work. */
static ImgStatus plan(Run *run, ImgError *err)
{
    const ImgRunEnds *ends = run->pictures[0]->ends;
    ImgManyBytes steps = {0, 0};
    if (run->step_count > 0) {
        ImgStatus status =
            img_many_plan(run->cuda->kinds, run->steps, run->step_count, NULL, 1, &run->many, err);
        if (status != IMG_OK)
            return status;
        steps = img_many_bytes(run->many);
    }
    const ImgDeviceManyBytes source = ends->source->many->bytes(run->sources, run->count);
    const ImgDeviceManyBytes sink = ends->sink->many->bytes(run->sinks, run->count);
    run->lists.steps = run->lists.source + aligned(source.host);
    run->lists.sink = run->lists.steps + aligned(steps.host);
    run->lists.end = run->lists.sink + aligned(sink.host);
    run->common = larger(larger(source.device, sink.device), steps.device);
    return IMG_OK;
}

static ImgStatus reserve(Run *run, ImgError *err)
{
    const ImgShape shape = run->pictures[0]->ends->shape;
    if (!img_host_memory_reserve(&run->cuda->lists, run->lists.end))
        return img_fail(err, IMG_E_MEMORY, "no memory for %zu pictures", run->count);
    img_cuda_pin(run->cuda->device, &run->cuda->lists);
    for (size_t i = 0; i < run->count; i++)
        for (int k = 0; k < IMG_HOST_COUNT; k++)
            img_cuda_pin(run->cuda->device, &run->pictures[i]->exec->host[k]);
    ImgStatus status = img_device_reserve_workspace(run->cuda, run->end + run->common, shape, err);
    if (status == IMG_OK)
        place_pictures(run, run->cuda->buffer[IMG_CUDA_WORKSPACE]);
    return status;
}

/* --- Work ------------------------------------------------------------------------------------- */

static ImgStatus mark(Run *run, ImgError *err)
{
    CUDA_TRY(cudaEventRecord(run->cuda->mark[run->marks++], run->cuda->stream), err);
    return IMG_OK;
}

/* Returns memory for common work. `list` is an offset in the lists. */
static ImgDevicePlace common_place(const Run *run, size_t list)
{
    uint8_t *device = run->cuda->buffer[IMG_CUDA_WORKSPACE], *host = run->cuda->lists.memory;
    return place_of(run, device + run->end, host != NULL ? host + list : NULL,
                    (ImgView){.data = NULL});
}

static ImgStatus decode(Run *run, ImgError *err)
{
    const ImgDevicePlace common = common_place(run, run->lists.source);
    ImgStatus status = IMG_OK;
    for (size_t i = 0; status == IMG_OK && i < run->count; i++) {
        const ImgDeviceEnd *source = run->pictures[i]->ends->source;
        status = source->move(source->context, &run->source_places[i], err);
    }
    if (status == IMG_OK)
        status = mark(run, err);
    if (status == IMG_OK)
        status = run->pictures[0]->ends->source->many->work(run->sources, run->source_places,
                                                            run->count, &common, err);
    return status == IMG_OK ? mark(run, err) : status;
}

static ImgStatus run_steps(Run *run, ImgError *err)
{
    const ImgDevicePlace common = common_place(run, run->lists.steps);
    ImgStatus status = IMG_OK;
    if (run->many != NULL)
        status = img_many_queue(run->many, common.device, common.host, common.stream, err);
    return status == IMG_OK ? mark(run, err) : status;
}

static ImgStatus encode(Run *run, ImgError *err)
{
    const ImgDevicePlace common = common_place(run, run->lists.sink);
    ImgStatus status = run->pictures[0]->ends->sink->many->work(run->sinks, run->sink_places,
                                                                run->count, &common, err);
    if (status == IMG_OK)
        status = mark(run, err);
    for (size_t i = 0; status == IMG_OK && i < run->count; i++) {
        const ImgDeviceEnd *sink = run->pictures[i]->ends->sink;
        status = sink->move(sink->context, &run->sink_places[i], err);
    }
    return status == IMG_OK ? mark(run, err) : status;
}

static ImgStatus queue(Run *run, ImgError *err)
{
    place_pictures(run, NULL);
    ImgStatus status = plan(run, err);
    if (status == IMG_OK)
        status = reserve(run, err);
    if (status == IMG_OK)
        status = mark(run, err);
    if (status == IMG_OK)
        status = decode(run, err);
    if (status == IMG_OK)
        status = run_steps(run, err);
    return status == IMG_OK ? encode(run, err) : status;
}

/* Returns true if the driver need not allocate memory, pin memory or load kernels for the group. */
static bool is_set_up(const ImgCuda *cuda, ImgGroupPicture *const *pictures, size_t count)
{
    bool is = cuda->has_begun;
    for (size_t i = 0; is && i < count; i++)
        is = pictures[i]->exec->host[IMG_HOST_OF_SINK].offered;
    return is;
}

/* Reports to each picture its share of the times of the group. */
static ImgStatus report(const Run *run, ImgError *err)
{
    double seconds[5];
    for (int i = 0; i < run->marks - 1; i++) {
        float milliseconds;
        CUDA_TRY(cudaEventElapsedTime(&milliseconds, run->cuda->mark[i], run->cuda->mark[i + 1]),
                 err);
        seconds[i] = milliseconds * 1e-3 / (double)run->count;
    }
    for (size_t i = 0, with_steps = 0; i < run->count; i++) {
        ImgRunReport *own = run->pictures[i]->report;
        own->upload = seconds[0];
        own->decode = seconds[1];
        own->kernel = seconds[2];
        own->encode = seconds[3];
        own->download = seconds[4];
        snprintf(own->device, sizeof own->device, "%s", run->cuda->name);
        if (run->pictures[i]->count > 0)
            img_many_describe(run->many, with_steps++, own);
        for (size_t p = 0; p < own->count; p++)
            own->passes[p].seconds = own->kernel / (double)own->count;
    }
    return IMG_OK;
}

/* Queues a group in its turn (img_async_device_turn), and waits for it. */
static ImgStatus queue_and_wait(Run *run, pthread_mutex_t *turn, ImgError *err)
{
    ImgCuda *cuda = run->cuda;
    pthread_mutex_t *own_turn = is_set_up(cuda, run->pictures, run->count) ? NULL : turn;
    if (own_turn != NULL)
        pthread_mutex_lock(own_turn);
    ImgStatus status = queue(run, err);
    if (own_turn != NULL)
        pthread_mutex_unlock(own_turn);
    cuda->has_begun = true;
    /* waits even after a failure, because work that is already queued still uses the memory */
    const cudaError_t code = cudaStreamSynchronize(cuda->stream);
    if (status == IMG_E_MEMORY)
        img_cuda_free_memory(cuda); /* so that other runs can allocate it */
    if (status == IMG_OK && code != cudaSuccess)
        status = img_cuda_fail(code, "cudaStreamSynchronize", err);
    return status == IMG_OK ? report(run, err) : status;
}

static Run *make_run(ImgCuda *cuda, ImgGroupPicture *const *pictures, size_t count)
{
    if (cuda->kinds == NULL)
        cuda->kinds = img_many_kinds_create();
    Run *run = cuda->kinds != NULL ? malloc(sizeof *run) : NULL;
    if (run == NULL)
        return NULL;
    run->cuda = cuda;
    run->pictures = pictures;
    run->count = count;
    run->many = NULL;
    run->lists.source = 0;
    run->marks = 0;
    for (size_t i = 0; i < count; i++) {
        run->sources[i] = pictures[i]->ends->source->context;
        run->sinks[i] = pictures[i]->ends->sink->context;
    }
    return run;
}

ImgStatus img_group_run(ImgCuda *cuda, ImgGroupPicture *const *pictures, size_t count,
                        pthread_mutex_t *turn, ImgError *err)
{
    ImgStatus status = img_group_enter(cuda, err);
    if (status != IMG_OK)
        return status;
    Run *run = make_run(cuda, pictures, count);
    if (run == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for %zu pictures", count);
    status = queue_and_wait(run, turn, err);
    img_many_free(run->many);
    free(run);
    return status;
}

ImgStatus img_group_enter(const ImgCuda *cuda, ImgError *err)
{
    /* clears an older error of this thread, which does not belong to this run */
    (void)cudaGetLastError();
    /* Another thread may have opened the context, and each thread has its own current device. */
    CUDA_TRY(cudaSetDevice(cuda->device), err);
    return IMG_OK;
}
