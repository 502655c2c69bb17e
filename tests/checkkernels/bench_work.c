/* Timing of one operation (bench_work.h). */
#include "tests/checkkernels/bench_work.h"

#include <stdlib.h>
#include <string.h>

#include "app/bench/timing/device.h"
#include "app/bench/timing/host_limits.h"
#include "kernels/core/parallel/clock.h"
#include "tests/checkkernels/fill.h"

/* --- The source picture ----------------------------------------------------------------------- */

/* Allocates host memory for a picture. If the picture is for a device, its rows have the layout
 * that the executor uses. */
static ImgStatus alloc_picture(ImgShape shape, bool on_device, ImgImage *image, ImgError *err)
{
    if (!on_device)
        return img_image_alloc(shape, image, err);
    size_t pitch = img_device_pitch(shape);
    image->size = pitch * (size_t)shape.height;
    image->view = img_view_make(malloc(image->size), pitch, shape);
    return image->view.data != NULL ? IMG_OK : img_fail(err, IMG_E_MEMORY, "no memory");
}

/* Fills a picture in words of 8 bytes, including the padding of rows, which no implementation
 * reads. "photo" has broad areas of similar values with noise of 1/64 of the range. "constant" has
 * a single value. */
static void fill_quickly(ImgImage *image, const char *fill, uint64_t seed)
{
    enum { AREA_SHIFT = 11 }; /* Areas have 2^11 words, which are 16 KiB. */
    Random random = {seed};
    const uint64_t each_byte = UINT64_C(0x0101010101010101);
    bool deep = image->view.format.bits == 16;
    uint64_t high = deep ? each_byte & UINT64_C(0xff00ff00ff00ff00) : each_byte;
    uint64_t noise = deep ? UINT64_C(0x03ff03ff03ff03ff) : 3 * each_byte;
    size_t words = image->size / sizeof(uint64_t);
    for (size_t i = 0; i < words; i++) {
        uint64_t bits = random_next(&random);
        if (fill[0] == 'p')
            bits = (i >> AREA_SHIFT & 0x3f) * 4 * high + (bits & noise);
        if (fill[0] == 'c')
            bits = 0x80 * each_byte;
        memcpy(image->view.data + i * sizeof bits, &bits, sizeof bits);
    }
    memset(image->view.data + words * sizeof(uint64_t), 0x5a, image->size % sizeof(uint64_t));
}

static bool is_same(const BenchSource *source, ImgShape shape, ImgBackend backend)
{
    const ImgView *view = &source->image.view;
    return view->data != NULL && source->backend == backend && view->width == shape.width &&
           view->height == shape.height && view->format.color == shape.format.color &&
           view->format.bits == shape.format.bits;
}

ImgStatus bench_source_need(BenchSource *source, ImgShape shape, ImgBackend backend,
                            const char *fill, uint64_t seed, ImgError *err)
{
    const bool on_device = backend == IMG_BACKEND_CUDA;
    if (is_same(source, shape, backend))
        return IMG_OK;
    bench_source_free(source);
    source->backend = backend;
    ImgStatus status = alloc_picture(shape, on_device, &source->image, err);
    if (status != IMG_OK)
        return status;
    fill_quickly(&source->image, fill, seed);
    if (on_device)
        status = img_device_alloc(&source->on_device, source->image.size, err);
    if (status == IMG_OK && on_device)
        status =
            img_device_upload(source->on_device, source->image.view.data, source->image.size, err);
    if (status != IMG_OK)
        bench_source_free(source);
    return status;
}

void bench_source_free(BenchSource *source)
{
    img_image_free(&source->image);
    img_device_free(source->on_device);
    *source = (BenchSource){.image = IMG_IMAGE_NONE};
}

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

/* Computes the expected result with the implementation named `against`. */
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

/* Allocates extra memory for the copy that the operation is compared with. That copy moves as many
 * bytes as the operation, half of them read and half written, so one of the two pictures may be too
 * small to be its source or target. */
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
        status = alloc_picture(work->dst, bench->on_device, &bench->dst, err);
    if (status == IMG_OK)
        status = alloc_picture(work->dst, bench->on_device, &bench->expected, err);
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

/* --- Times ------------------------------------------------------------------------------------ */

enum { WARM_UP = 3 };

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

BenchTiming bench_summarise(double *samples, size_t count)
{
    qsort(samples, count, sizeof *samples, by_value);
    double median = samples[count / 2];
    double spread = samples[count * 3 / 4] - samples[count / 4];
    return (BenchTiming){.median = median, .noise = spread / 2 / median};
}

/* Returns source and target of the copy: the two pictures, where `room`, if it is not NULL,
 * replaces the smaller picture. */
static ImgDeviceCopy copy_of(const Bench *bench)
{
    const bool shrinks = bench->dst.size < bench->source->image.size;
    void *src = bench->on_device ? bench->source->on_device : bench->source->image.view.data;
    void *dst = bench->on_device ? bench->device_dst : bench->dst.view.data;
    if (bench->room != NULL)
        *(shrinks ? &dst : &src) = bench->room;
    return (ImgDeviceCopy){dst, src, bench->copied};
}

static ImgStatus time_peer(Bench *bench, double *seconds, ImgError *err)
{
    ImgDeviceCopy copy = copy_of(bench);
    if (bench->on_device) {
        ImgDeviceRead read = {bench->device, bench->source->on_device, bench->source->image.size};
        return bench->measures ? img_device_time(bench->device, img_device_read, &read,
                                                 IMG_CACHES_COLD, 1, seconds, err)
                               : img_device_time(bench->device, img_device_copy, &copy,
                                                 IMG_CACHES_COLD, 1, seconds, err);
    }
    double start = img_clock();
    if (bench->measures)
        bench->sum += img_host_read(bench->source->image.view.data, bench->source->image.size,
                                    bench->call.team, bench->call.threads);
    else
        img_host_copy(copy.to, copy.from, copy.size, bench->call.team, bench->call.threads);
    *seconds = img_clock() - start;
    return IMG_OK;
}

ImgStatus bench_time_once(Bench *bench, const ImgImpl *impl, double *seconds, ImgError *err)
{
    if (impl == NULL)
        return time_peer(bench, seconds, err);
    if (bench->on_device) {
        ImgDeviceRow row = {impl, &bench->call};
        ImgStatus status = img_device_prepare(bench->device, impl, &bench->call, err);
        return status == IMG_OK ? img_device_time(bench->device, img_device_row, &row,
                                                  IMG_CACHES_COLD, 1, seconds, err)
                                : status;
    }
    double start = img_clock();
    ImgStatus status = impl->run(&bench->call, err);
    *seconds = img_clock() - start;
    return status;
}

/* Times an implementation, or the copy or read if `impl` is NULL. Each run follows a run of the
 * copy, so that other work on the machine slows both equally. */
ImgStatus bench_time(Bench *bench, const ImgImpl *impl, BenchTiming *timing, ImgError *err)
{
    double samples[BENCH_SAMPLES], copies[BENCH_SAMPLES], unused, copy;
    ImgStatus status = IMG_OK;
    for (int i = 0; i < WARM_UP && status == IMG_OK; i++)
        status = bench_time_once(bench, impl, &unused, err);
    for (int i = 0; i < BENCH_SAMPLES && status == IMG_OK; i++) {
        status = bench_time_once(bench, NULL, &copy, err);
        if (status == IMG_OK)
            status = bench_time_once(bench, impl, &samples[i], err);
        if (status == IMG_OK)
            copies[i] = samples[i] / copy;
    }
    if (status != IMG_OK)
        return status;
    *timing = bench_summarise(samples, BENCH_SAMPLES);
    timing->copies = bench_summarise(copies, BENCH_SAMPLES).median;
    return IMG_OK;
}
