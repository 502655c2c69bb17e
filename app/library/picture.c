#include "app/library/picture.h"

#include <string.h>

/* --- Checks ----------------------------------------------------------------------------------- */

imgtool_status img_lib_check_shape(const imgtool_picture *picture, const char *name,
                                   imgtool_error *error)
{
    char text[IMG_LIB_FORMAT_TEXT];
    if (picture == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "%s is NULL", name);
    imgtool_status status =
        img_lib_check_size(picture->size, sizeof *picture, "imgtool_picture", error);
    if (status != IMGTOOL_OK)
        return status;
    if (picture->width < 1 || picture->height < 1)
        return img_lib_fail(error, IMGTOOL_E_USAGE,
                            "%s: %d x %d pixels is not a picture; width and height must be at "
                            "least 1",
                            name, picture->width, picture->height);
    if (imgtool_pixel_size(picture->format) == 0)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "%s: unknown pixel format %s", name,
                            img_lib_format_text(picture->format, text));
    return IMGTOOL_OK;
}

imgtool_status img_lib_check_picture(const imgtool_picture *picture, const char *name,
                                     imgtool_error *error)
{
    imgtool_status status = img_lib_check_shape(picture, name, error);
    if (status != IMGTOOL_OK)
        return status;
    const size_t row = (size_t)picture->width * imgtool_pixel_size(picture->format);
    const size_t sample = imgtool_pixel_size((imgtool_format){IMGTOOL_GRAY, picture->format.bits});
    if (picture->pixels == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "%s: pixels is NULL", name);
    if (picture->stride < row)
        return img_lib_fail(error, IMGTOOL_E_USAGE,
                            "%s: a stride of %zu bytes is less than the %zu of a row", name,
                            picture->stride, row);
    if ((uintptr_t)picture->pixels % sample != 0 || picture->stride % sample != 0)
        return img_lib_fail(error, IMGTOOL_E_USAGE,
                            "%s: pixels and stride must be multiples of a sample's %zu bytes", name,
                            sample);
    return IMGTOOL_OK;
}

imgtool_status img_lib_check_limit(const imgtool_context *context, const imgtool_picture *picture,
                                   const char *name, imgtool_error *error)
{
    const uint64_t pixels = (uint64_t)picture->width * (uint64_t)picture->height;
    if (pixels <= context->limits.max_pixels)
        return IMGTOOL_OK;
    return img_lib_fail(error, IMGTOOL_E_LIMIT,
                        "%s: %d x %d is %llu pixels, more than the limit of %llu", name,
                        picture->width, picture->height, (unsigned long long)pixels,
                        (unsigned long long)context->limits.max_pixels);
}

static bool samples_fit(const imgtool_picture *picture)
{
    const uint8_t most = (uint8_t)((1U << picture->format.bits) - 1);
    for (int32_t y = 0; y < picture->height; y++) {
        const uint8_t *row = (const uint8_t *)picture->pixels + (size_t)y * picture->stride;
        uint8_t all = 0;
        for (int32_t x = 0; x < picture->width; x++)
            all |= row[x];
        if (all > most)
            return false;
    }
    return true;
}

imgtool_status img_lib_check_samples(const imgtool_picture *picture, const char *name,
                                     imgtool_error *error)
{
    const int32_t bits = picture->format.bits;
    if (bits >= 8 || samples_fit(picture))
        return IMGTOOL_OK;
    return img_lib_fail(error, IMGTOOL_E_USAGE, "%s: a sample is more than %d bit%s can hold", name,
                        bits, bits == 1 ? "" : "s");
}

imgtool_status img_lib_shape(const imgtool_picture *picture, const char *name, ImgShape *shape,
                             imgtool_error *error)
{
    char text[IMG_LIB_FORMAT_TEXT];
    *shape = (ImgShape){picture->width, picture->height, {IMG_COLOR_GRAY, 8}};
    if (img_lib_format(picture->format, &shape->format))
        return IMGTOOL_OK;
    return img_lib_fail(error, IMGTOOL_E_UNSUPPORTED, "%s: %s must be converted first", name,
                        img_lib_format_text(picture->format, text));
}

imgtool_status img_lib_view(const imgtool_picture *picture, const char *name, ImgView *view,
                            imgtool_error *error)
{
    ImgShape shape;
    imgtool_status status = img_lib_shape(picture, name, &shape, error);
    *view = img_view_make(picture->pixels, picture->stride, shape);
    return status;
}

imgtool_status img_lib_read_picture(const imgtool_context *context, const imgtool_picture *picture,
                                    const char *name, ImgView *view, imgtool_error *error)
{
    imgtool_status status = img_lib_check_picture(picture, name, error);
    if (status == IMGTOOL_OK)
        status = img_lib_check_limit(context, picture, name, error);
    if (status == IMGTOOL_OK)
        status = img_lib_view(picture, name, view, error);
    return status == IMGTOOL_OK ? img_lib_check_samples(picture, name, error) : status;
}

/* --- Pixels ----------------------------------------------------------------------------------- */

imgtool_picture img_lib_borrow(const ImgView *view)
{
    return (imgtool_picture){.size = sizeof(imgtool_picture),
                             .width = view->width,
                             .height = view->height,
                             .format = img_lib_format_of(view->format),
                             .pixels = view->data,
                             .stride = view->stride};
}

/* Returns the stride, in bytes, for a new picture. It is never a multiple of the page size, because
 * otherwise the pixels of a column would share few cache sets. */
static size_t packed_stride(const imgtool_picture *picture)
{
    enum { ALIGNMENT = 64, PAGE = 4096 };
    const size_t row = (size_t)picture->width * imgtool_pixel_size(picture->format);
    const size_t stride = (row + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return row < ALIGNMENT ? row : stride % PAGE == 0 ? stride + ALIGNMENT : stride;
}

uint64_t img_lib_allocated_bytes(const imgtool_picture *picture)
{
    return (uint64_t)packed_stride(picture) * (uint64_t)picture->height;
}

static ImgStatus allocate(const imgtool_context *context, imgtool_picture *picture, ImgError *err)
{
    const uint64_t bytes = img_lib_allocated_bytes(picture);
    picture->stride = packed_stride(picture);
    if (bytes > PTRDIFF_MAX || bytes > context->limits.max_memory)
        return img_fail(err, IMG_E_LIMIT, "%d x %d pixels need more memory than the limit",
                        picture->width, picture->height);
    picture->pixels = img_lib_allocate(context, (size_t)bytes);
    picture->owned = picture->pixels != NULL;
    if (picture->pixels == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for %d x %d pixels (%llu bytes)",
                        picture->width, picture->height, (unsigned long long)bytes);
    return IMG_OK;
}

imgtool_status imgtool_picture_allocate(imgtool_context *context, imgtool_picture *picture,
                                        imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    imgtool_status begun = img_lib_begin(context, error);
    if (begun == IMGTOOL_OK)
        begun = img_lib_check_shape(picture, "picture", error);
    if (begun != IMGTOOL_OK)
        return begun;
    if (picture->owned)
        return img_lib_fail(error, IMGTOOL_E_USAGE,
                            "picture: it already has pixels; free them first");
    begun = img_lib_check_limit(context, picture, "picture", error);
    if (begun != IMGTOOL_OK)
        return begun;
    const ImgStatus status = allocate(context, picture, &failure);
    return img_lib_end(context, status, &failure, error);
}

void imgtool_picture_free(imgtool_context *context, imgtool_picture *picture)
{
    if (picture == NULL || picture->size < sizeof *picture)
        return;
    if (context != NULL && picture->owned)
        img_lib_release(context, picture->pixels);
    const imgtool_picture none = IMGTOOL_PICTURE_INIT;
    img_lib_copy_struct(picture, picture->size, &none, sizeof none);
}

ImgStatus img_lib_move_to_caller(const imgtool_context *context, ImgImage *image,
                                 imgtool_picture *picture, ImgError *err)
{
    imgtool_picture made = img_lib_borrow(&image->view);
    ImgStatus status = IMG_OK;
    if (img_lib_uses_malloc(context)) {
        made.owned = true;
        *image = IMG_IMAGE_NONE;
    } else {
        const imgtool_picture from = made;
        status = allocate(context, &made, err);
        if (status == IMG_OK)
            img_lib_convert(&from, &made, context->team, context->config.threads);
        img_image_free(image);
    }
    if (status == IMG_OK)
        img_lib_copy_struct(picture, picture->size, &made, sizeof made);
    return status;
}
