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

/* Says why a CUDA implementation has no function. In a build with CUDA, only implementations of
 * textbook.h may have none. */
#ifdef IMGTOOL_CUDA
static const char why_no_cuda[] = "because it only teaches; the command imgtool has it";
#else
static const char why_no_cuda[] = "which was made without CUDA (IMGTOOL_CUDA=ON)";
#endif

static ImgStatus unusable(const ImgOp *op, const ImgImpl *impl, ImgError *err)
{
    if (impl->run != NULL)
        return img_fail(err, IMG_E_UNAVAILABLE,
                        "%s: implementation '%s' needs %s, which this "
                        "processor does not have; leave it out to get the fastest that runs here",
                        op->name, impl->name, img_cpu_level_name(impl->cpu_level));
    if (impl->backend == IMG_BACKEND_CUDA)
        return img_fail(err, IMG_E_UNAVAILABLE, "%s: implementation '%s' is not in this build, %s",
                        op->name, impl->name, why_no_cuda);
    return img_fail(err, IMG_E_UNAVAILABLE,
                    "%s: implementation '%s' is not in this build, which is "
                    "for another processor",
                    op->name, impl->name);
}

/* Appends a name to a list such as "a, b". If there is no space for the name, leaves it out. */
static void append_name(char *names, size_t size, size_t *used, const char *name)
{
    int n = snprintf(names + *used, size - *used, "%s%s", *used ? ", " : "", name);
    if (n > 0 && (size_t)n < size - *used)
        *used += (size_t)n;
}

ImgStatus img_impl_find(const ImgOp *op, const char *name, const ImgImpl **impl, ImgError *err)
{
    ImgSuggestion nearest = img_suggest_start(name);
    char names[512] = "";
    size_t used = 0;
    for (const ImgImpl *each = op->impls; each->name != NULL; each++) {
        if (strcmp(each->name, name) == 0) {
            *impl = each;
            return img_impl_usable(each) ? IMG_OK : unusable(op, each, err);
        }
        img_suggest_offer(&nearest, each->name);
        append_name(names, sizeof names, &used, each->name);
    }
    if (nearest.best != NULL)
        return img_fail(err, IMG_E_USAGE,
                        "%s has no implementation '%s'; did you mean '%s'? It has "
                        "%s",
                        op->name, name, nearest.best, names);
    return img_fail(err, IMG_E_USAGE, "%s has no implementation '%s'; it has %s", op->name, name,
                    names);
}

bool img_impl_applies(const ImgOp *op, const ImgImpl *impl, ImgShape src, const void *params)
{
    return impl->applies == NULL || impl->applies(op, src, params);
}

ImgStatus img_impl_fastest(const ImgOp *op, ImgBackend backend, ImgShape src, const void *params,
                           const ImgImpl **impl, ImgError *err)
{
    *impl = NULL;
    for (const ImgImpl *each = op->impls; each->name != NULL; each++)
        if (each->backend == backend && img_impl_usable(each) &&
            img_impl_applies(op, each, src, params))
            *impl = each;
    if (*impl != NULL)
        return IMG_OK;
    return img_fail(err, IMG_E_UNAVAILABLE, "%s has no %s implementation in this build", op->name,
                    img_backend_name(backend));
}

ImgStatus img_impl_check(const ImgOp *op, const ImgImpl *impl, ImgShape src, const void *params,
                         ImgError *err)
{
    if (img_impl_applies(op, impl, src, params))
        return IMG_OK;
    char names[512] = "";
    size_t used = 0;
    for (const ImgImpl *each = op->impls; each->name != NULL; each++)
        if (img_impl_applies(op, each, src, params))
            append_name(names, sizeof names, &used, each->name);
    return img_fail(err, IMG_E_USAGE,
                    "%s: implementation '%s' does not support these options; use %s", op->name,
                    impl->name, names);
}
