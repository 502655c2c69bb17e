/* Times of runs: see bench_work.h. */
#include <stdlib.h>

#include "app/bench/timing/host_limits.h"
#include "kernels/core/parallel/clock.h"
#include "tests/checkkernels/bench_work.h"

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

/* Chooses source and target of the copy: from the larger picture to `room` or back, or between the
 * two pictures if there is no `room`. */
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

/* With `impl` NULL it times the copy or read. A copy precedes every run, so that a busy machine
 * slows both. */
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
