/* See checker_device.h. */
#include "tests/checkkernels/checker_device.h"

ImgStatus check_run(const ImgImpl *impl, ImgCall *call, ImgDevice *device, ImgError *err)
{
    ImgStatus status = img_device_prepare(device, impl, call, err);
    if (status == IMG_OK)
        status = impl->run(call, err);
    return status == IMG_OK ? img_device_wait(err) : status;
}

/* Bytes that a CUDA implementation may access: also the last row is complete up to
 * IMG_DEVICE_ALIGNMENT. */
static size_t tight_size(const Buffer *buffer)
{
    size_t unit = IMG_DEVICE_ALIGNMENT;
    size_t last_row = (buffer->row_bytes + unit - 1) / unit * unit;
    return buffer->view.stride * (size_t)(buffer->view.height - 1) + last_row;
}

/* Allocation takes longer than most kernels, so memory is reused. With `exact` it must have exactly
 * that size, so that an access past its end is reported. */
static ImgStatus need_memory(CheckerTwin *twin, size_t size, bool exact, ImgError *err)
{
    if (exact ? twin->capacity == size : twin->capacity >= size)
        return IMG_OK;
    img_device_free(twin->memory);
    twin->memory = NULL;
    twin->capacity = 0;
    const ImgStatus status = img_device_alloc(&twin->memory, size, err);
    if (status == IMG_OK)
        twin->capacity = size;
    else
        twin->memory = NULL;
    return status;
}

/* Copies the whole buffer with its guards to the device. With `tight` the guards stay on the host,
 * so that the allocation ends with the picture. */
static ImgStatus send(CheckerTwin *twin, Buffer *buffer, bool tight, ImgError *err)
{
    if (twin->is_sent)
        return IMG_OK;
    buffer_unlock(buffer);
    twin->start = tight ? (size_t)(buffer->view.data - buffer->memory) : 0;
    twin->size = tight ? tight_size(buffer) : buffer->size;
    ImgStatus status = need_memory(twin, twin->size, tight, err);
    if (status == IMG_OK)
        status = img_device_upload(twin->memory, buffer->memory + twin->start, twin->size, err);
    twin->is_sent = status == IMG_OK;
    return status;
}

static ImgStatus bring_back(const CheckerTwin *twin, Buffer *buffer, ImgError *err)
{
    buffer_unlock(buffer);
    return img_device_download(buffer->memory + twin->start, twin->memory, twin->size, err);
}

static ImgView view_of(const CheckerTwin *twin, const Buffer *buffer)
{
    ImgView view = buffer->view;
    view.data = (uint8_t *)twin->memory + (buffer->view.data - buffer->memory - twin->start);
    return view;
}

ImgStatus checker_run_on_device(Checker *checker, const ImgImpl *impl, ImgCall *call, ImgError *err)
{
    const bool tight = checker->options->tight;
    CheckerTwin *src = &checker->source_twin, *dst = &checker->got_twin;
    dst->is_sent = false;
    ImgStatus status = send(src, &checker->source, tight, err);
    if (status == IMG_OK)
        status = send(dst, &checker->got, tight, err);
    if (status == IMG_OK) {
        call->src = view_of(src, &checker->source);
        call->dst = view_of(dst, &checker->got);
        status = check_run(impl, call, checker->device, err);
    }
    if (status == IMG_OK)
        status = bring_back(src, &checker->source, err);
    return status == IMG_OK ? bring_back(dst, &checker->got, err) : status;
}

void checker_leave_device(Checker *checker)
{
    img_device_free(checker->source_twin.memory);
    img_device_free(checker->got_twin.memory);
    checker->source_twin = checker->got_twin = (CheckerTwin){.memory = NULL};
}
