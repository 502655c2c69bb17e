/* See bench_rows.h. */
#include "tests/checkkernels/bench_rows.h"

#include <stdio.h>
#include <string.h>

#include "kernels/core/select.h"

static bool is_selected(const BenchWork *work, const ImgImpl *impl, const CheckOptions *options)
{
    return impl->backend == work->backend && img_impl_usable(impl) &&
           img_impl_applies(work->op, impl, work->src, work->params) &&
           (options->impl == NULL || strcmp(options->impl, impl->name) == 0);
}

static bool any_selected(const BenchWork *work, const CheckOptions *options)
{
    for (const ImgImpl *impl = work->op->impls; impl->name != NULL; impl++)
        if (is_selected(work, impl, options))
            return true;
    return false;
}

/* Prints the row of a copy or read. The number of bytes it moves goes to *copied. */
static ImgStatus bench_peer(Bench *bench, const BenchWork *work, double *copied, ImgError *err)
{
    BenchTiming copy = {.median = 0};
    *copied = bench->measures ? (double)bench->source->image.size : 2.0 * (double)bench->copied;
    const char *peer = bench->measures    ? "(plain read)"
                       : bench->on_device ? "(device copy)"
                                          : "(memcpy)";
    ImgStatus status = bench_time(bench, NULL, &copy, err);
    if (status == IMG_OK)
        printf("%-22s %-7s %-20s %10.3f %5.1f%% %8.1f %6s %8s\n", work->title, work->format, peer,
               copy.median * 1e3, copy.noise * 100, *copied / copy.median * 1e-9, "100%", "");
    return status;
}

/* Prints the row of an implementation; `first` is the time of the first one of this work, or 0. */
static void bench_impl(Bench *bench, const BenchWork *work, const ImgImpl *impl,
                       const BenchOptions *wanted, double copied, double *first, CheckTally *tally)
{
    const bool once = wanted->once, checks = wanted->against != NULL;
    BenchTiming timing = {.median = 0};
    ImgError err = {IMG_OK, ""};
    ImgStatus status = checks ? bench_check(bench, impl, &err) : IMG_OK;
    if (status == IMG_OK && !once)
        status = bench_time(bench, impl, &timing, &err);
    status == IMG_OK ? tally->passed++ : tally->failed++;
    printf("%-22s %-7s %-20s ", work->title, work->format, impl->name);
    if (status != IMG_OK || once) {
        printf("%s%s\n", status == IMG_OK ? "verified" : "FAIL: ", err.message);
        return;
    }
    if (*first == 0)
        *first = timing.median;
    printf("%10.3f %5.1f%% %8.1f %5.0f%% %7.2fx%s\n", timing.median * 1e3, timing.noise * 100,
           work->bytes / timing.median * 1e-9, work->bytes / copied / timing.copies * 100,
           *first / timing.median, checks ? " verified" : "");
}

void bench_variants(const BenchWork *work, const BenchOptions *wanted, const CheckOptions *options,
                    CheckTally *tally)
{
    Bench bench;
    double copied = 0, first = 0;
    ImgError err = {IMG_OK, ""};
    if (!any_selected(work, options))
        return;
    ImgStatus status = bench_open(&bench, work, wanted, options, &err);
    if (status == IMG_OK && !wanted->once)
        status = bench_peer(&bench, work, &copied, &err);
    for (const ImgImpl *impl = work->op->impls; status == IMG_OK && impl->name != NULL; impl++)
        if (is_selected(work, impl, options))
            bench_impl(&bench, work, impl, wanted, copied, &first, tally);
    if (status != IMG_OK) {
        printf("FAIL %s %s: %s\n", work->title, work->format, err.message);
        tally->failed++;
    }
    fflush(stdout);
    bench_free(&bench);
}
