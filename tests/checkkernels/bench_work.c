#include "tests/checkkernels/bench_work.h"

#include <string.h>

#include "kernels/core/select.h"
#include "tests/checkkernels/fill.h"

/* Fills the picture: "photo" as bench_fill_photo does, "constant" with a single value, otherwise
 * with random samples. */
static void fill_quickly(const ImgImage *image, const char *fill, uint64_t seed)
{
    Random random = {seed};
    uint8_t *data = image->view.data;
    if (fill[0] == 'p') {
        bench_fill_photo(&image->view, seed);
        return;
    }
    memset(data, 0x80, image->size);
    for (size_t i = 0; fill[0] != 'c' && i + sizeof(uint64_t) <= image->size;
         i += sizeof(uint64_t)) {
        const uint64_t bits = random_next(&random);
        memcpy(data + i, &bits, sizeof bits);
    }
}

static ImgStatus need_source(ImgImage *source, ImgShape shape, const char *fill, uint64_t seed,
                             ImgError *err)
{
    const ImgView *view = &source->view;
    if (view->data != NULL && view->width == shape.width && view->height == shape.height &&
        img_format_equals(view->format, shape.format))
        return IMG_OK;
    img_image_free(source);
    const ImgStatus status = img_image_alloc(shape, source, err);
    if (status == IMG_OK)
        fill_quickly(source, fill, seed);
    return status;
}

bool bench_applies(const BenchWork *work, const ImgImpl *impl)
{
    return impl->backend == work->backend && img_impl_usable(impl) &&
           img_impl_applies(work->op, impl, work->src, work->params);
}

/* Computes the expected result with the implementation named `against`. */
static ImgStatus expect(Workload *workload, const BenchWork *work, const char *against,
                        ImgError *err)
{
    const ImgImpl *impl;
    if (work->chain != NULL)
        return chain_run_steps(work->chain, against, &workload->call, err);
    const ImgStatus status = chain_find(work->op, against, work->src, work->params, &impl, err);
    return status == IMG_OK ? workload_expect(workload, impl, err) : status;
}

ImgStatus bench_open(Workload *workload, const BenchWork *work, const BenchOptions *wanted,
                     const CheckOptions *options, ImgError *err)
{
    *workload = WORKLOAD_NONE;
    ImgStatus status = need_source(work->source, work->src, wanted->fill, options->seed, err);
    const WorkloadConfig config = {.op = work->op,
                                   .params = work->params,
                                   .src = &work->source->view,
                                   .result = &work->dst,
                                   .constants = &work->constants,
                                   .team = options->team,
                                   .threads = options->threads};
    if (status == IMG_OK)
        status = workload_open(&config, workload, err);
    if (status == IMG_OK && wanted->against != NULL)
        status = expect(workload, work, wanted->against, err);
    return status == IMG_OK && work->backend == IMG_BACKEND_CUDA
               ? workload_upload(workload, options->device, err)
               : status;
}
