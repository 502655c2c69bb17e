/* Batches into memory of a GPU, for builds without CUDA. */
#include "app/library/context.h"

static imgtool_status fail(imgtool_error *error)
{
    return img_lib_fail(error, IMGTOOL_E_UNAVAILABLE, "this library was built without CUDA");
}

imgtool_status imgtool_read_batch_device(imgtool_context *context, const imgtool_batch *batch,
                                         const imgtool_tensor *tensor, void *stream,
                                         imgtool_pending **pending, imgtool_error *error)
{
    (void)context;
    (void)batch;
    (void)tensor;
    (void)stream;
    if (pending != NULL)
        *pending = NULL;
    return fail(error);
}

bool imgtool_pending_is_done(const imgtool_pending *pending)
{
    (void)pending;
    return true;
}

imgtool_status imgtool_pending_finish(imgtool_pending *pending, imgtool_error *results,
                                      imgtool_error *error)
{
    (void)pending;
    (void)results;
    return fail(error);
}

imgtool_status imgtool_read_pictures_device(imgtool_context *context, const imgtool_batch *batch,
                                            imgtool_picture *pictures, void *stream,
                                            imgtool_error *results, imgtool_error *error)
{
    (void)context;
    (void)batch;
    (void)pictures;
    (void)stream;
    (void)results;
    return fail(error);
}

imgtool_status imgtool_read_device(imgtool_context *context, const imgtool_source *source,
                                   imgtool_picture *picture, void *stream, imgtool_error *error)
{
    (void)context;
    (void)source;
    (void)picture;
    (void)stream;
    return fail(error);
}
