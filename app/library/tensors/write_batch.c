/* Encodes the pictures of tensors, one thread per picture. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "app/library/codec/write_request.h"
#include "app/library/picture.h"
#include "app/library/tensors/batch.h"

typedef struct WriteRun {
    imgtool_context *context;
    ImgTensor tensor;
    bool on_device;
    void *stream;
    const imgtool_encoding *encoding; /* of the caller; may be NULL */
    imgtool_encoded *files;
    imgtool_error *results; /* of the caller; may be NULL */
    ImgLibWorker *workers;
    atomic_size_t next;  /* number of pictures that were begun */
    atomic_bool stopped; /* the caller cancelled */
} WriteRun;

static imgtool_encoded *file_at(const WriteRun *run, size_t index)
{
    return (imgtool_encoded *)(void *)((char *)run->files + index * run->files->size);
}

/* The place that a thread works on: its numbers and its pixels, in memory of the thread. */
typedef struct Place {
    ImgTensor one; /* a tensor of one place */
    ImgImage pixels;
} Place;

/* Sets place->one to place `index`, copied from the device if it is there. */
static imgtool_status take_numbers(const WriteRun *run, size_t index, Place *place,
                                   imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    const size_t bytes = img_lib_place_bytes(&run->tensor);
    uint8_t *from = (uint8_t *)run->tensor.data + index * bytes;
    if (!run->on_device) {
        place->one.data = from;
        return IMGTOOL_OK;
    }
    const ImgRowsCopy copy = {.from = from,
                              .to = place->one.data,
                              .from_stride = bytes,
                              .to_stride = bytes,
                              .row_bytes = bytes,
                              .rows = 1};
    const ImgStatus status =
        img_cuda_copy(run->context->config.device, &copy, run->stream, &failure);
    return img_lib_end(NULL, status, &failure, error);
}

/* Gives the encoded file to the caller, in memory of the caller's allocator. */
static imgtool_status give(const WriteRun *run, size_t index, void *data, size_t bytes,
                           imgtool_error *error)
{
    imgtool_encoded *file = file_at(run, index);
    if (!img_lib_uses_malloc(run->context)) {
        void *copy = img_lib_allocate(run->context, bytes);
        if (copy != NULL)
            memcpy(copy, data, bytes);
        free(data);
        data = copy;
    }
    if (data == NULL)
        return img_lib_fail(error, IMGTOOL_E_MEMORY, "no memory for a file");
    file->data = data;
    file->bytes = bytes;
    return IMGTOOL_OK;
}

static imgtool_status write_one(const WriteRun *run, ImgLibWorker *worker, size_t index,
                                Place *place, imgtool_error *error)
{
    void *data = NULL;
    size_t bytes = 0;
    imgtool_status status = take_numbers(run, index, place, error);
    if (status != IMGTOOL_OK)
        return status;
    img_tensor_get(&place->one, 0, &place->pixels.view);
    const imgtool_picture picture = img_lib_borrow(&place->pixels.view);
    status = imgtool_write_memory(worker->context, &picture, run->encoding, &data, &bytes, error);
    return status == IMGTOOL_OK ? give(run, index, data, bytes, error) : status;
}

static bool make_place(const WriteRun *run, Place *place)
{
    const ImgShape shape = {run->tensor.width, run->tensor.height, img_tensor_format(&run->tensor)};
    *place = (Place){.one = run->tensor, .pixels = IMG_IMAGE_NONE};
    place->one.count = 1;
    place->one.data = run->on_device ? malloc(img_lib_place_bytes(&run->tensor)) : NULL;
    return (place->one.data != NULL || !run->on_device) &&
           img_image_alloc(shape, &place->pixels, NULL) == IMG_OK;
}

/* Reports the progress if this is the thread that called the library. Returns false if the caller
 * cancelled. */
static bool goes_on(WriteRun *run)
{
    const uint64_t total = (uint64_t)run->tensor.count, next = run->next;
    if (!run->stopped && pthread_equal(run->context->caller, pthread_self()) &&
        img_lib_progress(run->context, next < total ? next : total, total, NULL) != IMG_OK)
        run->stopped = true;
    return !run->stopped;
}

/* Encodes pictures until none is left. */
static void write_pictures(void *context, int part)
{
    WriteRun *run = context;
    Place place;
    const bool has_memory = make_place(run, &place);
    while (goes_on(run)) {
        const size_t index = run->next++;
        imgtool_error error = IMGTOOL_ERROR_INIT;
        if (index >= (size_t)run->tensor.count)
            break;
        const imgtool_status status =
            has_memory ? write_one(run, &run->workers[part], index, &place, &error)
                       : img_lib_fail(&error, IMGTOOL_E_MEMORY, "no memory for a picture");
        img_lib_set_result(run->results, index, status, error.message);
    }
    img_image_free(&place.pixels);
    if (run->on_device)
        free(place.one.data);
}

static imgtool_status read_arguments(WriteRun *run, const imgtool_tensor *tensor,
                                     imgtool_error *error)
{
    imgtool_encoding complete;
    imgtool_status status = img_lib_begin(run->context, error);
    if (status == IMGTOOL_OK)
        status = img_lib_read_tensor(tensor, &run->tensor, error);
    if (status == IMGTOOL_OK)
        status = img_lib_read_encoding(run->encoding, &complete, error);
    if (status == IMGTOOL_OK && run->files == NULL)
        status = img_lib_fail(error, IMGTOOL_E_USAGE, "files is NULL");
    if (status == IMGTOOL_OK)
        status = img_lib_check_size(run->files->size, sizeof *run->files, "imgtool_encoded", error);
    if (status == IMGTOOL_OK)
        status = img_lib_check_results(run->results, error);
    return status == IMGTOOL_OK ? img_lib_workers(run->context, &run->workers, error) : status;
}

/* Frees the files of a call that was cancelled. */
static void discard(const WriteRun *run)
{
    for (int32_t i = 0; i < run->tensor.count; i++) {
        imgtool_encoded *file = file_at(run, (size_t)i);
        img_lib_release(run->context, file->data);
        file->data = NULL;
    }
}

static imgtool_status write_all(WriteRun *run, const imgtool_tensor *tensor, imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    const imgtool_status begun = read_arguments(run, tensor, error);
    if (begun != IMGTOOL_OK)
        return begun;
    const int32_t count = run->tensor.count, threads = run->context->config.threads;
    for (int32_t i = 0; i < count; i++)
        file_at(run, (size_t)i)->data = NULL;
    if (count > 0)
        (void)img_parallel_run(run->context->team, count < threads ? count : threads,
                               write_pictures, run);
    if (!run->stopped)
        return IMGTOOL_OK;
    discard(run);
    return img_lib_fail(error, IMGTOOL_E_CANCELLED, "cancelled");
}

imgtool_status imgtool_write_batch(imgtool_context *context, const imgtool_tensor *tensor,
                                   const imgtool_encoding *encoding, imgtool_encoded *files,
                                   imgtool_error *results, imgtool_error *error)
{
    WriteRun run = {.context = context, .encoding = encoding, .files = files, .results = results};
    return write_all(&run, tensor, error);
}

imgtool_status imgtool_write_batch_device(imgtool_context *context, const imgtool_tensor *tensor,
                                          const imgtool_encoding *encoding, void *stream,
                                          imgtool_encoded *files, imgtool_error *results,
                                          imgtool_error *error)
{
    WriteRun run = {.context = context,
                    .on_device = true,
                    .stream = stream,
                    .encoding = encoding,
                    .files = files,
                    .results = results};
    return write_all(&run, tensor, error);
}
