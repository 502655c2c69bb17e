#include "app/bench/image.h"

#include "app/report.h"
#include "app/resources.h"
#include "io/expand.h"
#include "io/source.h"

/* The file, its pixels and what they are expanded to. */
static ImgStatus check_memory(const ImgSource *source, const ImgLimits *limits, ImgError *err)
{
    ImgShape shape = img_source_shape(source);
    size_t before, after;
    ImgStatus status = img_shape_bytes(shape, &before, err);
    if (status == IMG_OK)
        status =
            img_shape_bytes(img_expanded_shape(shape, img_source_metadata(source)), &after, err);
    if (status != IMG_OK)
        return status;
    return resources_check_memory(shape, img_source_bytes(source) + before + after, limits, err);
}

static ImgStatus load(ImgSource *source, const ImgLimits *limits, ImgImage *image, ImgError *err)
{
    ImgStatus status = img_source_load(source, err);
    if (status == IMG_OK)
        status = check_memory(source, limits, err);
    if (status == IMG_OK)
        status = img_source_decode(source, NULL, image, NULL, err);
    if (status != IMG_OK)
        return status;
    ImgMetadata metadata = img_source_take_metadata(source);
    ImgShape shape = img_view_shape(&image->view);
    if (img_expanded_shape(shape, &metadata).format.color != shape.format.color)
        status = img_expand(image, &metadata, err);
    img_metadata_free(&metadata);
    return status;
}

ImgStatus bench_image_load(const Settings *settings, const char *path, ImgImage *image,
                           ImgError *err)
{
    ImgSource *source = NULL;
    ImgLimits limits = resources_limits(settings);
    *image = IMG_IMAGE_NONE;
    ImgStatus status = img_source_open(path, &limits, &source, err);
    if (status == IMG_OK)
        status = load(source, &limits, image, err);
    img_source_close(source);
    if (status != IMG_OK) {
        img_image_free(image);
        img_error_prefix(err, "%s", report_input_name(path));
    }
    return status;
}
