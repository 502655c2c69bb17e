/* What a command line asks of the backends, held against the operation table and against itself. */
#include "app/job.h"
#include "kernels/core/select.h"

static ImgStatus check_impl(const ImgStep *step, const Settings *settings, ImgError *err)
{
    const ImgImpl *impl;
    ImgBackend backend = (ImgBackend)settings->backend;
    if (settings->impl == NULL)
        return backend == IMG_BACKEND_AUTO ? IMG_OK
                                           : img_impl_fastest(step->op, backend, &impl, err);
    ImgStatus status = img_impl_find(step->op, settings->impl, &impl, err);
    if (status == IMG_OK && backend != IMG_BACKEND_AUTO && backend != impl->backend)
        return img_fail(err, IMG_E_USAGE, "%s: '%s' runs on %s; leave out --backend %s",
                        step->op->name, impl->name, img_backend_name(impl->backend),
                        img_backend_name(backend));
    return status;
}

ImgStatus job_check(const Job *job, ImgError *err)
{
    const Settings *settings = job->settings;
    if (settings->backend == IMG_BACKEND_CPU && option_given(settings, "device"))
        return img_fail(err, IMG_E_USAGE,
                        "--device %d and --backend cpu contradict each other: a device is a GPU",
                        settings->device);
    ImgStatus status = IMG_OK;
    for (size_t i = 0; status == IMG_OK && i < job->count; i++)
        status = check_impl(&job->steps[i], settings, err);
    return status;
}
