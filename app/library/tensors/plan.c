/* Plans the tensor of a batch from the header of a file. */
#include "app/library/codec/metadata.h"
#include "app/library/codec/reader.h"
#include "app/library/operations/pipeline.h"
#include "app/library/tensors/batch.h"
#include "kernels/core/op.h"

/* Returns true if a step depends on metadata, such as the orientation or the palette. */
static bool needs_metadata(const imgtool_pipeline *pipeline, ImgFormat format)
{
    if (format.color == IMG_COLOR_PALETTE)
        return true;
    for (size_t i = 0; i < pipeline->count; i++)
        if (pipeline->steps[i].op->facts.bind != NULL)
            return true;
    return false;
}

static ImgFormat decoded_format(ImgLibDecode how, ImgFormat file)
{
    const imgtool_format format = img_lib_decode_format(how, file, NULL);
    return format.color == IMGTOOL_RGB ? (ImgFormat){IMG_COLOR_RGB, 8} : file;
}

/* Computes the shape of the result of the steps. */
static ImgStatus plan_steps(ImgLibWorker *worker, imgtool_reader *reader,
                            const imgtool_pipeline *pipeline, ImgShape *shape, ImgError *err)
{
    ImgLibPlan plan = {.steps = NULL};
    ImgStatus status = IMG_OK;
    if (needs_metadata(pipeline, shape->format))
        status = img_lib_reader_load(reader, err);
    if (status == IMG_OK)
        status = img_lib_plan(worker->context, pipeline, *shape,
                              img_source_metadata(reader->source), &plan, err);
    *shape = plan.after;
    img_lib_plan_free(&plan);
    return status;
}

/* Computes the shape of picture number `index`. */
static imgtool_status plan_one(ImgLibWorker *worker, const ImgLibBatch *batch, size_t index,
                               ImgShape *shape, imgtool_error *error)
{
    const imgtool_pipeline *pipeline = img_lib_batch_pipeline(batch, index);
    const ImgLibDecode how = {.with_alpha = false, .indices = batch->own.indices};
    ImgError failure = {IMG_OK, ""};
    imgtool_reader *reader = NULL;
    imgtool_status status = img_lib_open_source(worker, batch, index, &reader, error);
    if (status != IMGTOOL_OK || reader == NULL)
        return status;
    *shape = img_source_shape(reader->source);
    shape->format = decoded_format(how, shape->format);
    if (pipeline != NULL)
        status = img_lib_reader_end(reader, plan_steps(worker, reader, pipeline, shape, &failure),
                                    &failure, error);
    imgtool_reader_destroy(reader);
    return status;
}

static int32_t channels_of(ImgColor color)
{
    const bool has_color = color == IMG_COLOR_RGB || color == IMG_COLOR_RGBA;
    return (has_color ? 3 : 1) + (color == IMG_COLOR_GRAY_ALPHA || color == IMG_COLOR_RGBA);
}

static void complete(imgtool_tensor *tensor, ImgShape shape)
{
    if (tensor->height == 0)
        tensor->height = shape.height;
    if (tensor->width == 0)
        tensor->width = shape.width;
    if (tensor->channels == 0)
        tensor->channels = channels_of(shape.format.color);
}

/* Finds the first picture whose shape can be computed. On failure *error is about the first
 * source. */
static imgtool_status find_shape(ImgLibWorker *worker, const ImgLibBatch *batch, ImgShape *shape,
                                 imgtool_error *error)
{
    imgtool_status status = plan_one(worker, batch, 0, shape, error);
    for (size_t i = 1; i < batch->own.count; i++) {
        if (status == IMGTOOL_OK)
            return status;
        if (plan_one(worker, batch, i, shape, NULL) == IMGTOOL_OK)
            return img_lib_begin(worker->context, error);
    }
    return status;
}

imgtool_status imgtool_batch_plan(imgtool_context *context, const imgtool_batch *batch,
                                  imgtool_tensor *tensor, imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    ImgLibBatch checked;
    ImgLibWorker *workers;
    ImgShape shape = {0};
    imgtool_status status = img_lib_begin(context, error);
    if (status == IMGTOOL_OK)
        status = img_lib_check_batch(batch, &checked, error);
    if (status == IMGTOOL_OK && tensor == NULL)
        status = img_lib_fail(error, IMGTOOL_E_USAGE, "tensor is NULL");
    if (status == IMGTOOL_OK)
        status = img_lib_check_size(tensor->size, sizeof *tensor, "imgtool_tensor", error);
    if (status != IMGTOOL_OK)
        return status;
    const bool is_complete = tensor->height != 0 && tensor->width != 0 && tensor->channels != 0;
    if (!is_complete && checked.own.count == 0)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "batch: it has no sources");
    if (!is_complete)
        status = img_lib_workers(context, &workers, error);
    if (!is_complete && status == IMGTOOL_OK)
        status = find_shape(workers, &checked, &shape, error);
    if (status != IMGTOOL_OK)
        return status;
    complete(tensor, shape);
    tensor->count = (int32_t)checked.own.count;
    return IMGTOOL_OK;
}
