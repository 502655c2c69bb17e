/* Checks the choice of backend and implementation against the table of operations, and finds
 * options that contradict each other. */
#include <string.h>

#include "app/engine/job.h"
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

static ImgStatus check_impl(const ImgStep *step, const EngineOptions *options, ImgError *err)
{
    const ImgImpl *impl;
    ImgBackend backend = (ImgBackend)options->backend;
    if (options->impl == NULL)
        return backend == IMG_BACKEND_AUTO ? IMG_OK : check_backend(step->op, backend, err);
    ImgStatus status = img_impl_find(step->op, options->impl, &impl, err);
    if (status == IMG_OK && backend != IMG_BACKEND_AUTO && backend != impl->backend)
        return img_fail(err, IMG_E_USAGE, "%s: '%s' runs on %s; leave out --backend %s",
                        step->op->name, impl->name, img_backend_name(impl->backend),
                        img_backend_name(backend));
    return status;
}

ImgStatus img_job_check(const Job *job, ImgError *err)
{
    const EngineOptions *options = job->options;
    if (options->backend == IMG_BACKEND_CPU && (options->given & ENGINE_GIVEN_DEVICE) != 0)
        return img_fail(err, IMG_E_USAGE,
                        "--device %d and --backend cpu exclude each other; leave one out",
                        options->device);
    if (options->backup != NULL &&
        (options->backup[0] == '\0' || strchr(options->backup, '/') != NULL))
        return img_fail(err, IMG_E_USAGE,
                        "invalid --backup '%s': use a suffix without '/', such as ~ or .bak",
                        options->backup);
    ImgStatus status = IMG_OK;
    for (size_t i = 0; status == IMG_OK && i < job->count; i++)
        status = check_impl(&job->steps[i], options, err);
    return status;
}
