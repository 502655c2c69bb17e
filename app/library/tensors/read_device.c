/* Batches into memory of a GPU. The GPU decodes what it takes; the CPU reads all other pictures
 * when the caller finishes the batch. */
#include <stdatomic.h>
#include <stdlib.h>

#include "app/library/picture.h"
#include "app/library/tensors/device_batch.h"
#include "kernels/core/cuda/cuda_util.h"

struct imgtool_pending {
    ImgDeviceBatch batch;
};

/* --- The CPU's pictures ----------------------------------------------------------------------- */

/* Reads one picture on the CPU and copies it to the device. Called by several threads. */
typedef imgtool_status ReadOne(const ImgDeviceBatch *batch, ImgLibWorker *worker, size_t index,
                               imgtool_error *error);

/* Reads all pictures of a batch that the GPU did not take or verify. */
typedef struct Rest {
    const ImgDeviceBatch *batch;
    ReadOne *read;
    ImgLibWorker *workers;
    imgtool_error *results; /* of the caller; may be NULL */
    atomic_size_t next;     /* the next picture that no thread has looked at */
} Rest;

static void read_rest(void *context, int part)
{
    Rest *rest = context;
    for (;;) {
        const size_t i = rest->next++;
        imgtool_error error = IMGTOOL_ERROR_INIT;
        if (i >= rest->batch->count)
            return;
        if (rest->batch->pictures[i].on_cpu)
            (void)rest->read(rest->batch, &rest->workers[part], i, &error);
        img_lib_set_result(rest->results, i, error.status, error.message);
    }
}

static ImgStatus finish_on_cpu(const ImgDeviceBatch *batch, ReadOne *read, imgtool_error *results,
                               ImgError *err)
{
    imgtool_context *context = batch->context;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    Rest rest = {.batch = batch, .read = read, .results = results};
    size_t count = 0;
    for (size_t i = 0; i < batch->count; i++)
        count += batch->pictures[i].on_cpu;
    if (img_lib_workers(context, &rest.workers, &error) != IMGTOOL_OK)
        return img_fail(err, IMG_E_MEMORY, "%s", error.message);
    const size_t threads = (size_t)context->config.threads;
    const size_t parts = count < 1 ? 1 : count < threads ? count : threads;
    (void)img_parallel_run(context->team, (int)parts, read_rest, &rest);
    return IMG_OK;
}

/* Copies rows of host memory to the device, in the order of the batch's stream. */
static imgtool_status copy(const ImgDeviceBatch *batch, const ImgRowsCopy *rows,
                           imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    const ImgStatus status =
        img_cuda_copy(batch->context->config.device, rows, batch->stream, &failure);
    return img_lib_end(NULL, status, &failure, error);
}

/* A ReadOne for tensors. A picture that fails becomes zeros. */
static imgtool_status read_to_tensor(const ImgDeviceBatch *batch, ImgLibWorker *worker,
                                     size_t index, imgtool_error *error)
{
    ImgTensor own = batch->tensor;
    const size_t bytes = img_lib_place_bytes(&own);
    own.count = 1;
    own.data = malloc(bytes);
    if (own.data == NULL)
        return img_lib_fail(error, IMGTOOL_E_MEMORY, "no memory for a picture");
    imgtool_status status = img_lib_read_one(worker, &batch->batch, index, &own, 0, error);
    const ImgRowsCopy row = {.from = own.data,
                             .to = (uint8_t *)batch->tensor.data + index * bytes,
                             .from_stride = bytes,
                             .to_stride = bytes,
                             .row_bytes = bytes,
                             .rows = 1};
    /* On failure the place already has zeros (img_tensor_queue). */
    if (status == IMGTOOL_OK)
        status = copy(batch, &row, error);
    free(own.data);
    return status;
}

/* --- Batches into tensors --------------------------------------------------------------------- */

/* Waits for all work of a batch that failed, so that its memory can be used again. */
static void give_up(ImgDeviceBatch *batch)
{
    if (batch->slot != NULL) {
        (void)cudaStreamSynchronize(batch->slot->copies);
        (void)cudaStreamSynchronize(batch->stream);
    }
    img_device_batch_free(batch);
}

static ImgStatus start(ImgDeviceBatch *batch, ImgError *err)
{
    ImgStatus status = img_device_slot_take(batch->context, &batch->slot, err);
    batch->pictures = calloc(batch->count, sizeof *batch->pictures);
    if (status == IMG_OK && batch->pictures == NULL)
        status = img_fail(err, IMG_E_MEMORY, "no memory for %zu pictures", batch->count);
    return status == IMG_OK ? img_device_files_read(batch, err) : status;
}

static ImgStatus queue(ImgDeviceBatch *batch, ImgError *err)
{
    int before;
    ImgStatus status = img_cuda_enter(batch->context->config.device, &before, err);
    if (status != IMG_OK)
        return status;
    status = start(batch, err);
    if (status == IMG_OK)
        status = img_device_batch_queue(batch, err);
    if (status != IMG_OK)
        give_up(batch);
    img_cuda_leave(before);
    return status;
}

static imgtool_status read_arguments(ImgDeviceBatch *own, const imgtool_batch *batch,
                                     imgtool_error *error)
{
    imgtool_status status = img_lib_begin(own->context, error);
    if (status == IMGTOOL_OK && own->context->config.backend == IMGTOOL_BACKEND_CPU)
        status =
            img_lib_fail(error, IMGTOOL_E_UNAVAILABLE, "the backend of the context is the CPU");
    if (status == IMGTOOL_OK)
        status = img_lib_check_batch(batch, &own->batch, error);
    if (status == IMGTOOL_OK && own->batch.own.count == 0)
        status = img_lib_fail(error, IMGTOOL_E_USAGE, "batch: no sources");
    own->count = own->batch.own.count;
    return status;
}

imgtool_status imgtool_read_batch_device(imgtool_context *context, const imgtool_batch *batch,
                                         const imgtool_tensor *tensor, void *stream,
                                         imgtool_pending **pending, imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    ImgError failure = {IMG_OK, ""};
    ImgDeviceBatch own = {.context = context, .stream = stream};
    if (pending == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "pending is NULL");
    *pending = NULL;
    imgtool_status begun = read_arguments(&own, batch, error);
    if (begun == IMGTOOL_OK)
        begun = img_lib_read_tensor(tensor, &own.tensor, error);
    if (begun == IMGTOOL_OK)
        begun = img_lib_batch_fits(&own.batch, &own.tensor, error);
    if (begun != IMGTOOL_OK)
        return begun;
    own.how = img_lib_decode_for(&own.tensor);
    own.has_tensor = true;
    *pending = malloc(sizeof **pending);
    if (*pending == NULL)
        return img_lib_fail(error, IMGTOOL_E_MEMORY, "no memory for a batch");
    const ImgStatus status = queue(&own, &failure);
    (*pending)->batch = own;
    if (status != IMG_OK) {
        free(*pending);
        *pending = NULL;
    }
    return img_lib_end(context, status, &failure, error);
}

bool imgtool_pending_is_done(const imgtool_pending *pending)
{
    return pending == NULL || cudaEventQuery(pending->batch.slot->done) != cudaErrorNotReady;
}

static ImgStatus finish(ImgDeviceBatch *batch, imgtool_error *results, ImgError *err)
{
    int before;
    const ImgStatus entered = img_cuda_enter(batch->context->config.device, &before, err);
    ImgStatus status = entered == IMG_OK ? img_device_batch_wait(batch, err) : entered;
    if (status == IMG_OK)
        status = finish_on_cpu(batch, read_to_tensor, results, err);
    if (status == IMG_OK)
        img_device_batch_free(batch);
    else
        give_up(batch);
    if (entered == IMG_OK)
        img_cuda_leave(before);
    return status;
}

imgtool_status imgtool_pending_finish(imgtool_pending *pending, imgtool_error *results,
                                      imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    ImgError failure = {IMG_OK, ""};
    if (pending == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "pending is NULL");
    imgtool_context *context = pending->batch.context;
    imgtool_status status = img_lib_begin(context, error);
    if (status == IMGTOOL_OK)
        status = img_lib_check_results(results, error);
    if (status != IMGTOOL_OK)
        return status;
    const ImgStatus finished = finish(&pending->batch, results, &failure);
    free(pending);
    return img_lib_end(context, finished, &failure, error);
}

/* --- Pictures of different sizes -------------------------------------------------------------- */

typedef struct PicturesRun {
    ImgDeviceBatch batch; /* the first member: read_to_picture gets its address */
    imgtool_picture *pictures;
    bool *is_mine; /* for each picture: the call allocated its pixels; owned */
} PicturesRun;

/* Gives picture `index` device memory for a result of this shape: the caller's memory if there is
 * any. Errors: USAGE if it does not fit the result; MEMORY. */
static imgtool_status place(const PicturesRun *run, size_t index, ImgShape shape, ImgView *result,
                            imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    imgtool_picture *picture = &run->pictures[index];
    imgtool_picture wanted = IMGTOOL_PICTURE_INIT;
    wanted.width = shape.width;
    wanted.height = shape.height;
    wanted.format = img_lib_format_of(shape.format);
    if (picture->pixels == NULL) {
        wanted.stride = img_device_pitch(shape);
        const ImgStatus status =
            img_cuda_allocate(run->batch.context->config.device,
                              wanted.stride * (size_t)shape.height, &wanted.pixels, &failure);
        if (status != IMG_OK)
            return img_lib_end(NULL, status, &failure, error);
        run->is_mine[index] = true;
        img_lib_copy_struct(picture, picture->size, &wanted, sizeof wanted);
    }
    if (picture->width != wanted.width || picture->height != wanted.height ||
        picture->format.color != wanted.format.color || picture->format.bits != wanted.format.bits)
        return img_lib_fail(error, IMGTOOL_E_USAGE,
                            "the result has %d x %d pixels in another format than picture %zu, "
                            "which has %d x %d",
                            wanted.width, wanted.height, index, picture->width, picture->height);
    if ((uintptr_t)picture->pixels % IMG_DEVICE_ALIGNMENT != 0 ||
        picture->stride % IMG_DEVICE_ALIGNMENT != 0)
        return img_lib_fail(error, IMGTOOL_E_USAGE,
                            "rows on a device start at multiples of %d bytes",
                            (int)IMG_DEVICE_ALIGNMENT);
    *result = img_view_make(picture->pixels, picture->stride, shape);
    return IMGTOOL_OK;
}

/* Frees what the call allocated for a picture that failed. */
static void take_back(const PicturesRun *run, size_t index)
{
    if (!run->is_mine[index])
        return;
    imgtool_device_free(run->batch.context->config.device, run->pictures[index].pixels);
    run->pictures[index].pixels = NULL;
    run->is_mine[index] = false;
}

/* A ReadOne for pictures. */
static imgtool_status read_to_picture(const ImgDeviceBatch *batch, ImgLibWorker *worker,
                                      size_t index, imgtool_error *error)
{
    const PicturesRun *run = (const PicturesRun *)(const void *)batch;
    ImgView picture, result;
    imgtool_status status =
        img_lib_read_picture_at(worker, &batch->batch, index, batch->how, &picture, error);
    if (status == IMGTOOL_OK)
        status = place(run, index, img_view_shape(&picture), &result, error);
    if (status == IMGTOOL_OK) {
        const ImgRowsCopy rows = {.from = picture.data,
                                  .to = result.data,
                                  .from_stride = picture.stride,
                                  .to_stride = result.stride,
                                  .row_bytes =
                                      (size_t)picture.width * img_format_pixel_size(picture.format),
                                  .rows = (size_t)picture.height};
        status = copy(batch, &rows, error);
    }
    if (status != IMGTOOL_OK)
        take_back(run, index);
    img_lib_worker_trim(worker);
    return status;
}

static ImgStatus run_pictures(PicturesRun *run, imgtool_error *results, ImgError *err)
{
    ImgDeviceBatch *batch = &run->batch;
    ImgStatus status = start(batch, err);
    for (size_t i = 0; status == IMG_OK && i < batch->count; i++) {
        ImgDevicePicture *picture = &batch->pictures[i];
        if (!picture->on_cpu) /* what does not fit is reported by the CPU */
            picture->on_cpu =
                place(run, i, picture->plan.after, &picture->result, NULL) != IMGTOOL_OK;
    }
    if (status == IMG_OK)
        status = img_device_batch_queue(batch, err);
    if (status == IMG_OK)
        status = img_device_batch_wait(batch, err);
    if (status == IMG_OK)
        status = finish_on_cpu(batch, read_to_picture, results, err);
    return status;
}

imgtool_status imgtool_read_pictures_device(imgtool_context *context, const imgtool_batch *batch,
                                            imgtool_picture *pictures, void *stream,
                                            imgtool_error *results, imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    int before;
    ImgError failure = {IMG_OK, ""};
    PicturesRun run = {.batch = {.context = context, .stream = stream}, .pictures = pictures};
    imgtool_status begun = read_arguments(&run.batch, batch, error);
    if (begun == IMGTOOL_OK)
        begun = img_lib_check_results(results, error);
    if (begun == IMGTOOL_OK && pictures == NULL)
        begun = img_lib_fail(error, IMGTOOL_E_USAGE, "pictures is NULL");
    for (size_t i = 0; begun == IMGTOOL_OK && i < run.batch.count; i++)
        begun = img_lib_check_size(pictures[i].size, sizeof *pictures, "imgtool_picture", error);
    if (begun != IMGTOOL_OK)
        return begun;
    run.batch.how = (ImgLibDecode){.with_alpha = true, .indices = run.batch.batch.own.indices};
    run.is_mine = calloc(run.batch.count, sizeof *run.is_mine);
    if (run.is_mine == NULL)
        return img_lib_fail(error, IMGTOOL_E_MEMORY, "no memory for a batch");
    ImgStatus status = img_cuda_enter(context->config.device, &before, &failure);
    if (status == IMG_OK) {
        status = run_pictures(&run, results, &failure);
        for (size_t i = 0; status != IMG_OK && i < run.batch.count; i++)
            take_back(&run, i);
        give_up(&run.batch);
        img_cuda_leave(before);
    }
    free(run.is_mine);
    return img_lib_end(context, status, &failure, error);
}

imgtool_status imgtool_read_device(imgtool_context *context, const imgtool_source *source,
                                   imgtool_picture *picture, void *stream, imgtool_error *error)
{
    imgtool_batch batch = IMGTOOL_BATCH_INIT;
    imgtool_error result = IMGTOOL_ERROR_INIT;
    batch.sources = source;
    batch.count = 1;
    const imgtool_status status =
        imgtool_read_pictures_device(context, &batch, picture, stream, &result, error);
    if (status != IMGTOOL_OK || result.status == IMGTOOL_OK)
        return status;
    return img_lib_fail(error, result.status, "%s", result.message);
}
