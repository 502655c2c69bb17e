/* Checks the choice of backend and implementation against the table of operations, and finds
 * options that contradict each other. */
#include <string.h>

#include "app/job/job.h"
#include "kernels/core/select.h"

/* Fails if the operation has no implementation for the backend. Whether an implementation suits the
 * picture is checked later. */
static ImgStatus check_backend(const ImgOp *op, ImgBackend backend, ImgError *err)
{
    for (const ImgImpl *row = op->impls; row->name != NULL; row++)
        if (row->backend == backend && img_impl_usable(row))
            return IMG_OK;
    return img_fail(err, IMG_E_UNAVAILABLE,
                    "%s has no %s implementation in this build; use --backend cpu", op->name,
                    img_backend_name(backend));
}

static ImgStatus check_impl(const ImgStep *step, const Settings *settings, ImgError *err)
{
    const ImgImpl *impl;
    ImgBackend backend = (ImgBackend)settings->backend;
    if (settings->impl == NULL)
        return backend == IMG_BACKEND_AUTO ? IMG_OK : check_backend(step->op, backend, err);
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
                        "--device %d and --backend cpu exclude each other; leave one out",
                        settings->device);
    if (settings->backup != NULL &&
        (settings->backup[0] == '\0' || strchr(settings->backup, '/') != NULL))
        return img_fail(err, IMG_E_USAGE,
                        "invalid --backup '%s': use a suffix without '/', such as ~ or .bak",
                        settings->backup);
    ImgStatus status = IMG_OK;
    for (size_t i = 0; status == IMG_OK && i < job->count; i++)
        status = check_impl(&job->steps[i], settings, err);
    return status;
}
