/* histogram on the CPU: shares the pixels out to threads that count into tables of their own, and
 * adds these up. */
#include <stdlib.h>
#include <string.h>

#include "kernels/histogram/count.h"
#include "kernels/histogram/histogram.h"

/* A thread with fewer pixels would spend its time on clearing and adding up its tables. */
enum { PIXELS_A_THREAD = 1 << 16, PIXELS_WORTH_PAIRS = 1 << 19 };

enum { ENTRIES_A_SHARE = 256, CACHE_LINE = 64 };

/* The tables of all threads, one behind the other. */
typedef struct Tables {
    const ImgCountLoops *loops;
    uint8_t *memory;
    size_t bytes; /* of one thread */
    int threads;
} Tables;

static ImgCountJob job_for(const ImgCall *call, const ImgLumaRows *luma)
{
    const ImgHistogramParams *own = call->params;
    const ImgView *src = &call->src;
    bool has_alpha = img_format_has_alpha(src->format);
    ImgCountJob job = {
        .data = src->data,
        .stride = src->stride,
        .pixel_size = img_format_pixel_size(src->format),
        .width = src->width,
        .height = src->height,
        .channels = img_format_channels(src->format),
        .rows = img_histogram_rows(src->format, own),
        .has_luma = img_histogram_has_luma(src->format, own),
        .skips = img_histogram_skips(src->format, own),
        .weights = img_luma_weights((ImgLuma)own->luma),
    };
    if (src->format.bits == 16)
        job.luma_row = has_alpha ? luma->rgba16 : luma->rgb16;
    else
        job.luma_row = has_alpha ? luma->rgba8 : luma->rgb8;
    if (job.stride == (size_t)job.width * job.pixel_size) {
        job.width *= job.height;
        job.height = 1;
    }
    return job;
}

static int threads_for(const ImgCall *call, int64_t pixels)
{
    uint64_t bytes = (uint64_t)pixels * img_format_pixel_size(call->src.format);
    int64_t useful = pixels / PIXELS_A_THREAD;
    if (bytes < IMG_BYTES_WORTH_THREADS || useful < 2)
        return 1;
    return useful < call->threads ? (int)useful : call->threads;
}

static const ImgCountLoops *loops_for(const ImgCountJob *job, int bits, int64_t pixels)
{
    if (bits == 16)
        return &img_count_wide;
    return job->channels <= 2 && pixels >= PIXELS_WORTH_PAIRS ? &img_count_pairs
                                                              : &img_count_narrow;
}

/* Threads clear their own tables: in memory near to their cores, and all at a time. */
static void count_portion(const ImgCountJob *job, int64_t first, int64_t pixels,
                          const Tables *tables)
{
#pragma omp parallel for schedule(static) num_threads(tables->threads)
    for (int i = 0; i < tables->threads; i++) {
        uint8_t *own = tables->memory + (size_t)i * tables->bytes;
        memset(own, 0, tables->bytes);
        tables->loops->count(job, first + pixels * i / tables->threads,
                             first + pixels * (i + 1) / tables->threads, own);
    }
}

static void add_up(const ImgCountJob *job, const Tables *tables, const ImgView *dst)
{
    int32_t shares = (dst->width + ENTRIES_A_SHARE - 1) / ENTRIES_A_SHARE;
#pragma omp parallel for schedule(static) num_threads(shares == 1 ? 1 : tables->threads)
    for (int32_t i = 0; i < shares * job->rows; i++) {
        int32_t row = i / shares, first = i % shares * ENTRIES_A_SHARE;
        int32_t end = first + ENTRIES_A_SHARE < dst->width ? first + ENTRIES_A_SHARE : dst->width;
        for (int t = 0; t < tables->threads; t++)
            tables->loops->add(job, tables->memory + (size_t)t * tables->bytes, row, first, end,
                               img_view_counts(dst, row));
    }
}

static ImgStatus run(const ImgCall *call, const ImgLumaRows *luma, ImgError *err)
{
    const ImgView *dst = &call->dst;
    ImgCountJob job = job_for(call, luma);
    int64_t pixels = job.width * job.height;
    Tables tables = {
        .threads = threads_for(call, pixels),
    };
    tables.loops = loops_for(&job, call->src.format.bits, pixels / tables.threads);
    tables.bytes = tables.loops->bytes(&job);
    tables.memory = aligned_alloc(CACHE_LINE, tables.bytes * (size_t)tables.threads);
    if (tables.memory == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the counters of %d threads",
                        tables.threads);
    for (int32_t row = 0; row < dst->height; row++)
        memset(img_view_counts(dst, row), 0, (size_t)dst->width * sizeof(uint64_t));
    /* Portions so small that no counter can overflow, even if one thread did it all. */
    for (int64_t first = 0; first < pixels; first += IMG_COUNT_PIXELS_MAX) {
        int64_t left = pixels - first;
        count_portion(&job, first, left < IMG_COUNT_PIXELS_MAX ? left : IMG_COUNT_PIXELS_MAX,
                      &tables);
        add_up(&job, &tables, dst);
    }
    free(tables.memory);
    return IMG_OK;
}

ImgStatus img_histogram_cpu(const ImgCall *call, ImgError *err)
{
    return run(call, &img_luma_rows_portable, err);
}

#ifdef IMGTOOL_X86
ImgStatus img_histogram_cpu_avx2(const ImgCall *call, ImgError *err)
{
    return run(call, &img_luma_rows_avx2, err);
}
#endif
