/* Implements device.h for builds without CUDA. img_device_open fails, so no other function is
 * called. */
#include "app/bench/timing/device.h"

static ImgStatus fail_without_cuda(ImgError *err)
{
    return img_fail(err, IMG_E_UNAVAILABLE, "this build has no CUDA backend");
}

ImgStatus img_device_open(int index, ImgDevice **device, ImgError *err)
{
    (void)index;
    *device = NULL;
    return fail_without_cuda(err);
}

void img_device_close(ImgDevice *device)
{
    (void)device;
}

const char *img_device_name(const ImgDevice *device)
{
    (void)device;
    return "";
}

ImgStatus img_device_alloc(void **memory, size_t size, ImgError *err)
{
    (void)size;
    *memory = NULL;
    return fail_without_cuda(err);
}

void img_device_free(void *memory)
{
    (void)memory;
}

ImgStatus img_device_upload(void *to, const void *from, size_t size, ImgError *err)
{
    (void)to;
    (void)from;
    (void)size;
    return fail_without_cuda(err);
}

ImgStatus img_device_download(void *to, const void *from, size_t size, ImgError *err)
{
    (void)to;
    (void)from;
    (void)size;
    return fail_without_cuda(err);
}

void *img_device_stream(void)
{
    return NULL;
}

ImgStatus img_device_wait(ImgError *err)
{
    return fail_without_cuda(err);
}

ImgStatus img_device_prepare(ImgDevice *device, const ImgImpl *impl, ImgCall *call, ImgError *err)
{
    (void)device;
    (void)impl;
    (void)call;
    return fail_without_cuda(err);
}

static ImgStatus fail_to_run(void *context, void *stream, ImgError *err)
{
    (void)context;
    (void)stream;
    return fail_without_cuda(err);
}

ImgStatus img_device_row(void *context, void *stream, ImgError *err)
{
    return fail_to_run(context, stream, err);
}

ImgStatus img_device_copy(void *context, void *stream, ImgError *err)
{
    return fail_to_run(context, stream, err);
}

ImgStatus img_device_read(void *context, void *stream, ImgError *err)
{
    return fail_to_run(context, stream, err);
}

ImgStatus img_device_time(ImgDevice *device, ImgDeviceWork *work, void *context, ImgCaches caches,
                          int repeats, double *seconds, ImgError *err)
{
    (void)device;
    (void)work;
    (void)context;
    (void)caches;
    (void)repeats;
    (void)seconds;
    return fail_without_cuda(err);
}

ImgStatus img_device_clock(double *hertz, ImgError *err)
{
    *hertz = 0;
    return fail_without_cuda(err);
}

void img_device_mark(const char *name)
{
    (void)name;
}
