#include "app/bench/measure/variants.h"

static const char *name_of(const Variants *variants, const ImgImpl *impl)
{
    if (impl != NULL)
        return impl->name;
    return variants->workload->measures            ? "plain read"
           : variants->backend == IMG_BACKEND_CUDA ? "device copy"
                                                   : "memcpy";
}

ImgStatus variants_add(Variants *variants, const ImgImpl *impl, ImgError *err)
{
    BenchGroup *group = variants->group;
    if (group->count == VARIANTS_MAX)
        return IMG_OK;
    variants->impls[group->count] = impl;
    BenchRow *row = bench_group_add_row(group, err);
    if (row == NULL)
        return IMG_E_MEMORY;
    row->verdict = impl == NULL ? BENCH_LIMIT : BENCH_VERIFIED;
    bench_copy_text(row->name, sizeof row->name, name_of(variants, impl));
    return IMG_OK;
}

void variants_check_last(Variants *variants)
{
    const size_t last = variants->group->count - 1;
    ImgError failure = {IMG_OK, ""};
    if (workload_check(variants->workload, variants->impls[last], &failure) != IMG_OK)
        bench_row_fail(&variants->group->rows[last], &failure);
}

static ImgStatus time_row(void *context, size_t row, ImgCaches caches, int repeats, double *seconds,
                          ImgError *err)
{
    const Variants *variants = context;
    return workload_time(variants->workload, variants->impls[row], variants->backend, caches,
                         repeats, seconds, err);
}

ImgStatus variants_time(Variants *variants, Measurement how, ImgError *err)
{
    how.group = variants->group;
    how.run = time_row;
    how.context = variants;
    return measurement_run(&how, err);
}
