/* The device of a build without CUDA: there is none. */
#include "tests/checkkernels/device.h"

static ImgStatus none(ImgError *err)
{
    return img_fail(err, IMG_E_UNAVAILABLE, "this build has no CUDA backend");
}

ImgStatus device_open(char *name, size_t size, ImgError *err)
{
    (void)name;
    (void)size;
    return none(err);
}

ImgStatus device_alloc(void **memory, size_t size, ImgError *err)
{
    (void)memory;
    (void)size;
    return none(err);
}

void device_free(void *memory)
{
    (void)memory;
}

ImgStatus device_upload(void *to, const void *from, size_t size, ImgError *err)
{
    (void)to;
    (void)from;
    (void)size;
    return none(err);
}

ImgStatus device_download(void *to, const void *from, size_t size, ImgError *err)
{
    (void)to;
    (void)from;
    (void)size;
    return none(err);
}

ImgStatus device_run(const ImgImpl *impl, ImgCall *call, ImgError *err)
{
    (void)impl;
    (void)call;
    return none(err);
}

ImgStatus device_time_run(const ImgImpl *impl, ImgCall *call, double *seconds, ImgError *err)
{
    (void)impl;
    (void)call;
    (void)seconds;
    return none(err);
}

ImgStatus device_time_read(const void *from, size_t size, double *seconds, ImgError *err)
{
    (void)from;
    (void)size;
    (void)seconds;
    return none(err);
}

ImgStatus device_time_copy(void *to, const void *from, size_t size, double *seconds, ImgError *err)
{
    (void)to;
    (void)from;
    (void)size;
    (void)seconds;
    return none(err);
}
