#include "io/step_picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/expand.h"
#include "io/png/thread_count.h"
#include "io/size_text.h"
#include "io/source.h"

/* Returns the largest number of bytes in use at any time while a picture is read. `chunks` is the
 * size of the chunks, which stay in memory until the pixels are expanded. The decoded pixels and
 * their expanded copy exist together for a short time. */
static uint64_t most_bytes(ImgShape raw, uint64_t file, uint64_t chunks, uint64_t pixels)
{
    const uint64_t decoding = file + img_image_bytes(raw) + img_png_decode_beside(raw, file, 1, 0);
    const uint64_t expanding = img_image_bytes(raw) + pixels;
    return (decoding > expanding ? decoding : expanding) + chunks + pixels;
}

static ImgStatus check_memory(const ImgSource *source, const ImgLimits *limits, uint64_t *most,
                              ImgError *err)
{
    char what[64];
    const ImgShape raw = img_source_shape(source);
    const ImgMetadata *metadata = img_source_metadata(source);
    const uint64_t pixels = img_image_bytes(img_expanded_shape(raw, metadata));
    const uint64_t need =
        most_bytes(raw, img_source_bytes(source), img_metadata_bytes(metadata), pixels);
    *most = need;
    if (need <= limits->max_memory)
        return IMG_OK;
    snprintf(what, sizeof what, "%d x %d pixels", raw.width, raw.height);
    return img_fail_memory(what, need, limits->max_memory, limits->more_memory, err);
}

static ImgStatus make_content(const ImgView *view, ImgConstants *content, ImgError *err)
{
    const size_t row = (size_t)view->width * img_format_pixel_size(view->format);
    const size_t size = sizeof(ImgPicture) + row * (size_t)view->height;
    ImgPicture *picture = malloc(size);
    if (picture == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for %d x %d pixels", view->width,
                        view->height);
    picture->shape = img_view_shape(view);
    for (size_t y = 0; y < (size_t)view->height; y++)
        memcpy(picture->pixels + y * row, view->data + y * view->stride, row);
    *content = (ImgConstants){picture, size};
    return IMG_OK;
}

static ImgStatus decode(ImgSource *source, const ImgLimits *limits, ImgImage *image, uint64_t *most,
                        ImgError *err)
{
    ImgStatus status = img_source_load(source, err);
    if (status == IMG_OK)
        status = check_memory(source, limits, most, err);
    if (status == IMG_OK)
        status = img_source_decode(source, NULL, image, NULL, err);
    if (status != IMG_OK)
        return status;
    ImgMetadata metadata = img_source_take_metadata(source);
    status = img_expand(image, &metadata, NULL, 1, err);
    img_metadata_free(&metadata);
    return status;
}

static ImgStatus open_picture(const char *path, const ImgLimits *limits,
                              const ImgInterrupt *interrupt, ImgSource **source, ImgError *err)
{
    if (strcmp(path, "-") == 0)
        return img_fail(
            err, IMG_E_USAGE,
            "-: standard input is reserved for the first picture; name a file, or use ./-");
    ImgStatus status = img_source_open_rows(path, limits, interrupt, source, err);
    if (status == IMG_OK)
        status = img_source_hold_pixels(*source, err);
    if (status == IMG_OK)
        return IMG_OK;
    img_source_close(*source);
    *source = NULL;
    img_error_prefix(err, "%s", path);
    return status;
}

/* Returns the largest shape that the picture may have after expansion. The file may declare
 * transparency in a chunk that has not been read yet. */
static ImgShape largest_shape(ImgShape raw)
{
    ImgFormat *format = &raw.format;
    if (format->color == IMG_COLOR_GRAY)
        format->color = IMG_COLOR_GRAY_ALPHA;
    else if (format->color == IMG_COLOR_RGB || format->color == IMG_COLOR_PALETTE)
        format->color = IMG_COLOR_RGBA;
    format->bits = format->bits < 8 ? 8 : format->bits;
    return raw;
}

ImgStatus img_step_picture_estimate(const char *path, const ImgLimits *limits, uint64_t *most,
                                    uint64_t *kept, ImgError *err)
{
    ImgSource *source = NULL;
    const ImgStatus status = open_picture(path, limits, NULL, &source, err);
    if (status != IMG_OK)
        return status;
    const ImgShape raw = img_source_shape(source);
    const uint64_t pixels = img_image_bytes(largest_shape(raw)),
                   file = img_source_file_bytes(source);
    /* Nearly the whole file may be ancillary chunks, so its size is also the bound for their
     * size. */
    *most = most_bytes(raw, file, file, pixels);
    *kept = sizeof(ImgPicture) + pixels;
    img_source_close(source);
    return IMG_OK;
}

ImgStatus img_step_picture_read(const char *path, const ImgLimits *limits,
                                const ImgInterrupt *interrupt, const ImgStepWarnings *warnings,
                                ImgConstants *content, uint64_t *most, ImgError *err)
{
    ImgSource *source = NULL;
    ImgImage image = IMG_IMAGE_NONE;
    ImgStatus status = open_picture(path, limits, interrupt, &source, err);
    if (status != IMG_OK)
        return status;
    status = decode(source, limits, &image, most, err);
    if (status == IMG_OK)
        status = make_content(&image.view, content, err);
    if (status == IMG_OK && warnings->each != NULL)
        for (const char *const *line = img_source_warnings(source); *line != NULL; line++)
            warnings->each(warnings->context, path, *line);
    img_image_free(&image);
    img_source_close(source);
    if (status != IMG_OK)
        img_error_prefix(err, "%s", path);
    return status;
}
