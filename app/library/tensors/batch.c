#include "app/library/tensors/batch.h"

#include <stdalign.h>

/* Returns USAGE unless structs of `size` bytes can follow each other in an array. */
static imgtool_status check_distance(size_t size, size_t least, const char *name,
                                     imgtool_error *error)
{
    const imgtool_status status = img_lib_check_size(size, least, name, error);
    if (status != IMGTOOL_OK || size % alignof(size_t) == 0)
        return status;
    return img_lib_fail(error, IMGTOOL_E_USAGE,
                        "%s: the size %zu is invalid; fill it with the initialiser of its name",
                        name, size);
}

static imgtool_status check_sources(const ImgLibBatch *batch, imgtool_error *error)
{
    for (size_t i = 0; i < batch->own.count; i++) {
        const imgtool_source source = img_lib_batch_source(batch, i);
        if (source.path == NULL && source.data == NULL)
            return img_lib_fail(error, IMGTOOL_E_USAGE,
                                "batch: source %zu has neither a path nor data", i);
        if (source.path == NULL && source.bytes > SIZE_MAX)
            return img_lib_fail(error, IMGTOOL_E_USAGE, "batch: source %zu is too large", i);
    }
    return IMGTOOL_OK;
}

imgtool_status img_lib_check_batch(const imgtool_batch *given, ImgLibBatch *batch,
                                   imgtool_error *error)
{
    if (given == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "batch is NULL");
    *batch = (ImgLibBatch){.own = IMGTOOL_BATCH_INIT};
    imgtool_status status =
        img_lib_check_size(given->size, sizeof batch->own, "imgtool_batch", error);
    if (status != IMGTOOL_OK)
        return status;
    img_lib_copy_struct(&batch->own, sizeof batch->own, given, given->size);
    if (batch->own.count > INT32_MAX)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "batch: %zu sources are more than %d",
                            batch->own.count, INT32_MAX);
    if (batch->own.count == 0)
        return IMGTOOL_OK;
    if (batch->own.sources == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "batch: sources is NULL");
    batch->source_bytes = batch->own.sources->size;
    status = check_distance(batch->source_bytes, sizeof(imgtool_source), "imgtool_source", error);
    return status == IMGTOOL_OK ? check_sources(batch, error) : status;
}

imgtool_status img_lib_batch_fits(const ImgLibBatch *batch, ImgTensor *tensor, imgtool_error *error)
{
    if (batch->own.count > (size_t)tensor->count)
        return img_lib_fail(error, IMGTOOL_E_USAGE,
                            "tensor: it has places for %d pictures, and the batch has %zu",
                            tensor->count, batch->own.count);
    if (batch->own.indices && tensor->channels != 1)
        return img_lib_fail(error, IMGTOOL_E_USAGE,
                            "tensor: indices need 1 channel, and the tensor has %d",
                            tensor->channels);
    tensor->indices = batch->own.indices;
    return IMGTOOL_OK;
}

imgtool_source img_lib_batch_source(const ImgLibBatch *batch, size_t index)
{
    const char *sources = (const char *)batch->own.sources;
    imgtool_source source = IMGTOOL_SOURCE_INIT;
    img_lib_copy_struct(&source, sizeof source, sources + index * batch->source_bytes,
                        batch->source_bytes);
    return source;
}

const imgtool_pipeline *img_lib_batch_pipeline(const ImgLibBatch *batch, size_t index)
{
    return batch->own.pipelines != NULL ? batch->own.pipelines[index] : batch->own.pipeline;
}

const char *img_lib_source_name(const imgtool_source *source)
{
    return source->path != NULL ? source->path : "memory";
}

/* --- Results ---------------------------------------------------------------------------------- */

imgtool_status img_lib_check_results(const imgtool_error *results, imgtool_error *error)
{
    return results != NULL ? check_distance(results->size, sizeof *results, "imgtool_error", error)
                           : IMGTOOL_OK;
}

void img_lib_set_result(imgtool_error *results, size_t index, imgtool_status status,
                        const char *message)
{
    if (results == NULL)
        return;
    imgtool_error *result = (imgtool_error *)(void *)((char *)results + index * results->size);
    result->size = results->size;
    (void)img_lib_fail(result, status, "%s", message);
}
