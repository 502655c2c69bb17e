/* See bench_work.h. */
#include "tests/checkkernels/bench_work.h"

#include <stdlib.h>
#include <string.h>

ImgStatus bench_check(Bench *bench, const ImgImpl *impl, ImgError *err)
{
    memset(bench->dst.view.data, 0x3c, bench->dst.size);
    ImgStatus status;
    if (bench->on_device) {
        status = img_device_upload(bench->device_dst, bench->dst.view.data, bench->dst.size, err);
        if (status == IMG_OK)
            status = check_run(impl, &bench->call, bench->device, err);
        if (status == IMG_OK)
            status =
                img_device_download(bench->dst.view.data, bench->device_dst, bench->dst.size, err);
    } else {
        status = impl->run(&bench->call, err);
    }
    const ImgView *a = &bench->expected.view, *b = &bench->dst.view;
    size_t row = (size_t)a->width * img_format_pixel_size(a->format);
    for (int32_t y = 0; status == IMG_OK && y < a->height; y++)
        if (memcmp(a->data + (size_t)y * a->stride, b->data + (size_t)y * b->stride, row) != 0)
            status = img_fail(err, IMG_E_MISMATCH, "differs from the reference in row %d", y);
    return status;
}

void bench_free(Bench *bench)
{
    img_image_free(&bench->dst);
    img_image_free(&bench->expected);
    img_device_free(bench->device_dst);
    if (bench->on_device)
        img_device_free(bench->room);
    else
        free(bench->room);
}

/* Computes the expected result with the reference or another implementation. */
static ImgStatus expect(Bench *bench, const BenchWork *work, const char *against, ImgError *err)
{
    const ImgImpl *impl;
    if (work->chain != NULL)
        return chain_run_steps(work->chain, against, &bench->call, err);
    const ImgStatus status = chain_find(work->op, against, work->src, work->params, &impl, err);
    return status == IMG_OK ? impl->run(&bench->call, err) : status;
}

static ImgStatus move_to_device(Bench *bench, ImgError *err)
{
    const ImgStatus status = img_device_alloc(&bench->device_dst, bench->dst.size, err);
    bench->call.src.data = bench->source->on_device;
    bench->call.dst.data = bench->device_dst;
    return status;
}

/* A copy must move as many bytes as the operation, so the smaller picture may need more memory. */
static ImgStatus make_room(Bench *bench, const BenchWork *work, ImgError *err)
{
    const size_t src = bench->source->image.size, dst = bench->dst.size;
    const size_t half = (size_t)work->bytes / 2;
    const size_t most = src > dst ? src : dst;
    bench->copied = half < most ? half : most;
    if (bench->copied <= (src < dst ? src : dst) || bench->measures)
        return IMG_OK;
    if (bench->on_device)
        return img_device_alloc(&bench->room, bench->copied, err);
    bench->room = malloc(bench->copied);
    if (bench->room == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    memset(bench->room, 0x5a, bench->copied);
    return IMG_OK;
}

ImgStatus bench_open(Bench *bench, const BenchWork *work, const BenchOptions *wanted,
                     const CheckOptions *options, ImgError *err)
{
    *bench = (Bench){.on_device = work->backend == IMG_BACKEND_CUDA,
                     .measures = work->dst.format.color == IMG_COLOR_COUNTS,
                     .source = work->source,
                     .device = options->device};
    ImgStatus status =
        bench_source_need(work->source, work->src, work->backend, wanted->fill, options->seed, err);
    if (status == IMG_OK)
        status = bench_alloc_picture(work->dst, bench->on_device, &bench->dst, err);
    if (status == IMG_OK)
        status = bench_alloc_picture(work->dst, bench->on_device, &bench->expected, err);
    if (status == IMG_OK && !wanted->fail_if_slower)
        status = make_room(bench, work, err);
    if (status != IMG_OK)
        return status;
    bench->call = (ImgCall){.op = work->op,
                            .src = bench->source->image.view,
                            .dst = bench->expected.view,
                            .params = work->params,
                            .constants = work->constants,
                            .threads = options->threads,
                            .team = options->team};
    if (wanted->against != NULL)
        status = expect(bench, work, wanted->against, err);
    bench->call.dst = bench->dst.view;
    return status == IMG_OK && bench->on_device ? move_to_device(bench, err) : status;
}
