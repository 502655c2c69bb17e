/* Allocates, frees and copies device memory, and creates streams, for programs that do not use CUDA
 * themselves. */
#include "app/library/picture.h"

imgtool_status imgtool_device_allocate(imgtool_context *context, size_t bytes, void **memory,
                                       imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    imgtool_status begun = img_lib_begin(context, error);
    if (begun == IMGTOOL_OK && memory == NULL)
        begun = img_lib_fail(error, IMGTOOL_E_USAGE, "memory is NULL");
    if (begun != IMGTOOL_OK)
        return begun;
    const ImgStatus status = img_cuda_allocate(context->config.device, bytes, memory, &failure);
    return img_lib_end(context, status, &failure, error);
}

void imgtool_device_free(int32_t device, void *memory)
{
    img_cuda_free(device, memory);
}

/* Checks the two pictures of a copy. Any format is allowed if both have the same, because the copy
 * does not interpret samples. */
static imgtool_status check_pair(const imgtool_picture *from, const imgtool_picture *to,
                                 imgtool_error *error)
{
    imgtool_status status = img_lib_check_picture(from, "from", error);
    if (status == IMGTOOL_OK)
        status = img_lib_check_picture(to, "to", error);
    if (status != IMGTOOL_OK)
        return status;
    if (from->width != to->width || from->height != to->height ||
        from->format.color != to->format.color || from->format.bits != to->format.bits)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "to: another size or format than that of from");
    return IMGTOOL_OK;
}

imgtool_status imgtool_device_copy(imgtool_context *context, const imgtool_picture *from,
                                   const imgtool_picture *to, void *stream, imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    imgtool_status begun = img_lib_begin(context, error);
    if (begun == IMGTOOL_OK)
        begun = check_pair(from, to, error);
    if (begun != IMGTOOL_OK)
        return begun;
    const ImgRowsCopy copy = {.from = from->pixels,
                              .to = to->pixels,
                              .from_stride = from->stride,
                              .to_stride = to->stride,
                              .row_bytes = (size_t)from->width * imgtool_pixel_size(from->format),
                              .rows = (size_t)from->height};
    const ImgStatus status = img_cuda_copy(context->config.device, &copy, stream, &failure);
    return img_lib_end(context, status, &failure, error);
}

imgtool_status imgtool_device_wait(imgtool_context *context, void *stream, imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    const imgtool_status begun = img_lib_begin(context, error);
    if (begun != IMGTOOL_OK)
        return begun;
    return img_lib_end(context, img_cuda_wait(context->config.device, stream, &failure), &failure,
                       error);
}

imgtool_status imgtool_stream_create(imgtool_context *context, void **stream, imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    imgtool_status begun = img_lib_begin(context, error);
    if (begun == IMGTOOL_OK && stream == NULL)
        begun = img_lib_fail(error, IMGTOOL_E_USAGE, "stream is NULL");
    if (begun != IMGTOOL_OK)
        return begun;
    const ImgStatus status = img_cuda_stream_create(context->config.device, stream, &failure);
    return img_lib_end(context, status, &failure, error);
}

void imgtool_stream_destroy(int32_t device, void *stream)
{
    img_cuda_stream_destroy(device, stream);
}

imgtool_status imgtool_stream_wait(int32_t device, void *stream, void *other, imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    return img_lib_end(NULL, img_cuda_stream_follow(device, stream, other, &failure), &failure,
                       error);
}
