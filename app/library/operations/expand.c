/* Converts transparency in metadata to an alpha channel, for steps that work on channels. */
#include "io/expand.h"

#include <stdlib.h>
#include <string.h>

#include "app/engine/plan.h"
#include "app/library/codec/metadata.h"
#include "app/library/operations/pipeline.h"
#include "app/library/picture.h"
#include "io/size_text.h"

/* Sets *keeps to true if the steps keep palette indices and transparent colours, or to false if
 * they work on channels. */
static ImgStatus check_steps(const imgtool_pipeline *pipeline, ImgShape src,
                             const ImgMetadata *metadata, bool *keeps, ImgError *err)
{
    ImgPalette palette;
    *keeps = !img_steps_need_channels(pipeline->steps, pipeline->count);
    if (*keeps || src.format.color != IMG_COLOR_PALETTE)
        return IMG_OK;
    const size_t size = pipeline->count * sizeof *pipeline->steps;
    ImgStep *copies = malloc(size);
    if (copies == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the steps");
    memcpy(copies, pipeline->steps, size);
    *keeps = img_plan_bind_palette(copies, pipeline->count, src, metadata, &palette);
    free(copies);
    return IMG_OK;
}

static ImgStatus needs_expansion(const imgtool_pipeline *pipeline, const ImgView *from,
                                 const ImgMetadata *metadata, bool *wanted, ImgError *err)
{
    const ImgShape shape = img_view_shape(from), expanded = img_expanded_shape(shape, metadata);
    bool keeps = false;
    ImgStatus status = IMG_OK;
    if (pipeline != NULL)
        status = check_steps(pipeline, shape, metadata, &keeps, err);
    *wanted = expanded.format.color != shape.format.color && !keeps;
    return status;
}

/* Converts `from`, which belongs to the caller, to a new picture `to` that has the transparency as
 * a channel. */
static ImgStatus expand(imgtool_context *context, const ImgView *from, ImgMetadata *metadata,
                        imgtool_picture *to, ImgError *err)
{
    const uint64_t limit = context->limits.max_memory;
    const ImgShape shape = img_expanded_shape(img_view_shape(from), metadata);
    imgtool_picture made = IMGTOOL_PICTURE_INIT;
    imgtool_error failure = IMGTOOL_ERROR_INIT;
    made.width = shape.width;
    made.height = shape.height;
    made.format = img_lib_format_of(shape.format);
    const uint64_t need = img_lib_view_bytes(from) + img_lib_allocated_bytes(&made);
    if (need > limit)
        return img_fail_memory("the picture and its copy with alpha", need, limit, NULL, err);
    if (imgtool_picture_allocate(context, &made, &failure) != IMGTOOL_OK)
        return img_fail(err, failure.status == IMGTOOL_E_MEMORY ? IMG_E_MEMORY : IMG_E_LIMIT, "%s",
                        failure.message);
    const ImgView view = img_view_make(made.pixels, made.stride, shape);
    const ImgExpansion expansion = img_expansion(from->format, metadata);
    img_expand_rows(&expansion, from, &view, context->team, context->config.threads);
    const ImgStatus status = img_expand_metadata(metadata, from->format, err);
    if (status == IMG_OK)
        img_lib_copy_struct(to, to->size, &made, sizeof made);
    else
        imgtool_picture_free(context, &made);
    return status;
}

imgtool_status imgtool_expand(imgtool_context *context, const imgtool_pipeline *pipeline,
                              const imgtool_picture *from, imgtool_picture *to,
                              imgtool_metadata *metadata, imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    ImgStatus status = IMG_OK;
    ImgView view;
    imgtool_status begun = img_lib_begin(context, error);
    if (begun == IMGTOOL_OK)
        begun = img_lib_read_picture(context, from, "from", &view, error);
    if (begun == IMGTOOL_OK)
        begun = to == NULL ? img_lib_fail(error, IMGTOOL_E_USAGE, "to is NULL")
                           : img_lib_check_size(to->size, sizeof *to, "imgtool_picture", error);
    if (begun == IMGTOOL_OK && to->pixels != NULL)
        begun = img_lib_fail(error, IMGTOOL_E_USAGE, "to: it already has pixels; free them first");
    if (begun != IMGTOOL_OK)
        return begun;
    bool wanted = false;
    if (metadata != NULL)
        status = needs_expansion(pipeline, &view, &metadata->own, &wanted, &failure);
    if (status == IMG_OK && wanted)
        status = expand(context, &view, &metadata->own, to, &failure);
    return img_lib_end(context, status, &failure, error);
}
