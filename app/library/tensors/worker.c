#include "app/library/tensors/worker.h"

#include <stdlib.h>

enum { KEPT_BYTES = 64 << 20 }; /* largest buffer that a worker keeps for its next picture */

/* The progress callback of a worker's context. */
static bool report(void *user, uint64_t done, uint64_t total)
{
    const ImgLibWorker *worker = user;
    (void)done;
    (void)total;
    return worker->goes_on == NULL || worker->goes_on(worker->user);
}

static imgtool_status create(const imgtool_context *context, ImgLibWorker *worker,
                             imgtool_error *error)
{
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    config.threads = 1;
    config.backend = IMGTOOL_BACKEND_CPU;
    config.max_pixels = context->config.max_pixels;
    config.max_memory = context->config.max_memory;
    config.progress = report;
    config.progress_user = worker;
    worker->result = IMG_IMAGE_NONE;
    return imgtool_context_create(&config, &worker->context, error);
}

/* The workers of a context, one for each of its threads. */
typedef struct Workers {
    int32_t count;
    ImgLibWorker all[];
} Workers;

static void release_buffer(ImgLibBuffer *buffer)
{
    free(buffer->memory);
    *buffer = (ImgLibBuffer){NULL, 0};
}

static void release_workers(void *state)
{
    Workers *workers = state;
    for (int32_t i = 0; i < workers->count; i++) {
        ImgLibWorker *worker = &workers->all[i];
        img_image_free(&worker->result);
        release_buffer(&worker->file);
        release_buffer(&worker->pixels);
        imgtool_context_destroy(worker->context);
    }
    free(workers);
}

static imgtool_status create_all(imgtool_context *context, imgtool_error *error)
{
    imgtool_status status = IMGTOOL_OK;
    const size_t count = (size_t)context->config.threads;
    Workers *workers = calloc(1, sizeof *workers + count * sizeof workers->all[0]);
    if (workers == NULL)
        return img_lib_fail(error, IMGTOOL_E_MEMORY, "no memory for the threads of a batch");
    while (workers->count < context->config.threads && status == IMGTOOL_OK)
        status = create(context, &workers->all[workers->count++], error);
    if (status == IMGTOOL_OK)
        context->workers = (ImgLibKept){workers, release_workers};
    else
        release_workers(workers);
    return status;
}

imgtool_status img_lib_workers(imgtool_context *context, ImgLibWorker **workers,
                               imgtool_error *error)
{
    *workers = NULL;
    if (context->workers.state == NULL) {
        const imgtool_status status = create_all(context, error);
        if (status != IMGTOOL_OK)
            return status;
    }
    *workers = ((Workers *)context->workers.state)->all;
    return IMGTOOL_OK;
}

bool img_lib_buffer_reserve(ImgLibBuffer *buffer, size_t bytes)
{
    if (bytes <= buffer->bytes)
        return true;
    release_buffer(buffer);
    buffer->memory = img_large_alloc(bytes);
    buffer->bytes = buffer->memory != NULL ? bytes : 0;
    return buffer->memory != NULL;
}

void img_lib_worker_trim(ImgLibWorker *worker)
{
    img_image_free(&worker->result);
    worker->result = IMG_IMAGE_NONE;
    if (worker->file.bytes > KEPT_BYTES)
        release_buffer(&worker->file);
    if (worker->pixels.bytes > KEPT_BYTES)
        release_buffer(&worker->pixels);
}
