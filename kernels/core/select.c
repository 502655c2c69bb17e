#include "kernels/core/select.h"

#include <stdio.h>
#include <string.h>

#include "kernels/core/suggest.h"

const char *img_backend_name(ImgBackend backend)
{
    static const char *const names[] = {
        [IMG_BACKEND_AUTO] = "auto", [IMG_BACKEND_CPU] = "cpu", [IMG_BACKEND_CUDA] = "cuda"};
    return names[backend];
}

bool img_impl_usable(const ImgImpl *impl)
{
    return impl->run != NULL && impl->cpu_level <= img_cpu_level();
}

static ImgStatus unusable(const ImgOp *op, const ImgImpl *impl, ImgError *err)
{
    if (impl->run != NULL)
        return img_fail(
            err, IMG_E_UNAVAILABLE,
            "%s: implementation '%s' needs %s, which this "
            "processor does not have; leave --impl out to get the fastest that runs here",
            op->name, impl->name, img_cpu_level_name(impl->cpu_level));
    if (impl->backend == IMG_BACKEND_CUDA)
        return img_fail(err, IMG_E_UNAVAILABLE,
                        "%s: implementation '%s' is not in this build, which "
                        "was made without CUDA; build with -DIMGTOOL_CUDA=ON",
                        op->name, impl->name);
    return img_fail(err, IMG_E_UNAVAILABLE,
                    "%s: implementation '%s' is not in this build, which is "
                    "for another processor",
                    op->name, impl->name);
}

ImgStatus img_impl_find(const ImgOp *op, const char *name, const ImgImpl **impl, ImgError *err)
{
    ImgSuggestion nearest = img_suggest_start(name);
    char names[512] = "";
    size_t used = 0;
    for (const ImgImpl *row = op->impls; row->name != NULL; row++) {
        if (strcmp(row->name, name) == 0) {
            *impl = row;
            return img_impl_usable(row) ? IMG_OK : unusable(op, row, err);
        }
        img_suggest_offer(&nearest, row->name);
        int n = snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", row->name);
        if (n > 0 && (size_t)n < sizeof names - used)
            used += (size_t)n;
    }
    if (nearest.best != NULL)
        return img_fail(err, IMG_E_USAGE,
                        "%s has no implementation '%s'; did you mean '%s'? It has "
                        "%s",
                        op->name, name, nearest.best, names);
    return img_fail(err, IMG_E_USAGE, "%s has no implementation '%s'; it has %s", op->name, name,
                    names);
}

ImgStatus img_impl_fastest(const ImgOp *op, ImgBackend backend, const ImgImpl **impl, ImgError *err)
{
    *impl = NULL;
    for (const ImgImpl *row = op->impls; row->name != NULL; row++)
        if (row->backend == backend && img_impl_usable(row))
            *impl = row;
    if (*impl != NULL)
        return IMG_OK;
    return img_fail(err, IMG_E_UNAVAILABLE, "%s has no %s implementation in this build", op->name,
                    img_backend_name(backend));
}
