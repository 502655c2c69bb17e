/* histogram on the CPU. Each thread counts a part of the pixels in its own tables. Then the tables
 * of all threads are added. Rows that arrive in order are counted in the tables of one thread. */
#include <stdlib.h>
#include <string.h>

#include "kernels/histogram/count.h"
#include "kernels/histogram/histogram.h"

/* PIXELS_PER_THREAD is the smallest number of pixels per thread. With fewer pixels, a thread would
 * mostly clear and add its tables. PIXELS_WORTH_PAIRS is the smallest number of pixels per thread
 * for which counting pairs pays off. */
enum { PIXELS_PER_THREAD = 1 << 16, PIXELS_WORTH_PAIRS = 1 << 19 };

enum { ENTRIES_PER_SHARE = 256, CACHE_LINE = 64 };

/* The tables of all threads, which follow one another in memory. */
typedef struct Tables {
    const ImgCountLoops *loops;
    uint8_t *memory;
    size_t bytes; /* size of the tables of one thread, in bytes */
    int threads;
} Tables;

/* Sets the pixels that a job counts. */
static void set_pixels(ImgCountJob *job, const ImgView *src)
{
    job->data = src->data;
    job->stride = src->stride;
    job->width = src->width;
    job->height = src->height;
    if (job->stride == (size_t)job->width * job->pixel_size) {
        job->width *= job->height;
        job->height = 1;
    }
}

static ImgCountJob job_for(const ImgCall *call, const ImgLumaRows *luma)
{
    const ImgHistogramParams *own = call->params;
    const ImgView *src = &call->src;
    bool has_alpha = img_format_has_alpha(src->format);
    ImgCountJob job = {
        .pixel_size = img_format_pixel_size(src->format),
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
    set_pixels(&job, src);
    return job;
}

static int threads_for(ImgFormat format, int64_t pixels, int threads)
{
    uint64_t bytes = (uint64_t)pixels * img_format_pixel_size(format);
    int64_t useful = pixels / PIXELS_PER_THREAD;
    if (bytes < IMG_BYTES_WORTH_THREADS || useful < 2)
        return 1;
    return useful < threads ? (int)useful : threads;
}

static const ImgCountLoops *loops_for(const ImgCountJob *job, int bits, int64_t pixels)
{
    if (bits == 16)
        return &img_count_wide;
    return job->channels <= 2 && pixels >= PIXELS_WORTH_PAIRS ? &img_count_pairs
                                                              : &img_count_narrow;
}

uint64_t img_histogram_scratch(ImgShape src, const void *params, int threads)
{
    const ImgView view = img_view_make(NULL, 0, src);
    const ImgCall call = {.src = view, .params = params};
    const ImgCountJob job = job_for(&call, &img_luma_rows_portable);
    const int64_t pixels = (int64_t)src.width * src.height;
    const int used = threads_for(src.format, pixels, threads);
    return loops_for(&job, src.format.bits, pixels / used)->bytes(&job) * (uint64_t)used;
}

/* A range of pixels that is counted at once, and the table to which its counts are added. */
typedef struct Portion {
    const ImgCountJob *job;
    const Tables *tables;
    int64_t first, pixels;
    const ImgView *dst;
    /* number of parts into which each row of the result is divided, so that threads add them in
     * parallel */
    int32_t shares;
} Portion;

/* Counts a part of the pixels. Each thread clears its own tables. So all tables are cleared at the
 * same time, and their memory is near the core of the thread. */
static void count_part(void *context, int part)
{
    const Portion *portion = context;
    const Tables *tables = portion->tables;
    uint8_t *own = tables->memory + (size_t)part * tables->bytes;
    memset(own, 0, tables->bytes);
    tables->loops->count(portion->job, portion->first + portion->pixels * part / tables->threads,
                         portion->first + portion->pixels * (part + 1) / tables->threads, own);
    if (tables->loops->finish != NULL)
        tables->loops->finish(portion->job, own);
}

static void add_shares(void *context, int64_t first_share, int64_t end_share)
{
    const Portion *portion = context;
    const Tables *tables = portion->tables;
    for (int64_t i = first_share; i < end_share; i++) {
        int32_t row = (int32_t)(i / portion->shares), width = portion->dst->width;
        int32_t first = (int32_t)(i % portion->shares) * ENTRIES_PER_SHARE;
        int32_t end = first + ENTRIES_PER_SHARE < width ? first + ENTRIES_PER_SHARE : width;
        for (int t = 0; t < tables->threads; t++)
            tables->loops->add(portion->job, tables->memory + (size_t)t * tables->bytes, row, first,
                               end, img_view_counts(portion->dst, row));
    }
}

static void count_portion(ImgTeam *team, Portion *portion)
{
    int threads = portion->tables->threads;
    (void)img_parallel_run(team, threads, count_part, portion);
    img_parallel_for(team, portion->shares == 1 ? 1 : threads,
                     (int64_t)portion->shares * portion->job->rows, add_shares, portion);
}

static void clear_counts(const ImgView *counts)
{
    for (int32_t row = 0; row < counts->height; row++)
        memset(img_view_counts(counts, row), 0, (size_t)counts->width * sizeof(uint64_t));
}

static ImgStatus run(const ImgCall *call, const ImgLumaRows *luma, ImgError *err)
{
    const ImgView *dst = &call->dst;
    ImgCountJob job = job_for(call, luma);
    int64_t pixels = job.width * job.height;
    Tables tables = {
        .threads = threads_for(call->src.format, pixels, call->threads),
    };
    tables.loops = loops_for(&job, call->src.format.bits, pixels / tables.threads);
    tables.bytes = tables.loops->bytes(&job);
    tables.memory = aligned_alloc(CACHE_LINE, tables.bytes * (size_t)tables.threads);
    if (tables.memory == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the counters of %d threads",
                        tables.threads);
    clear_counts(dst);
    /* A portion is so small that no counter can overflow, even if one thread counts all of its
     * pixels. */
    for (int64_t first = 0; first < pixels; first += IMG_COUNT_PIXELS_MAX) {
        int64_t left = pixels - first;
        Portion portion = {.job = &job,
                           .tables = &tables,
                           .first = first,
                           .pixels = left < IMG_COUNT_PIXELS_MAX ? left : IMG_COUNT_PIXELS_MAX,
                           .dst = dst,
                           .shares = (dst->width + ENTRIES_PER_SHARE - 1) / ENTRIES_PER_SHARE};
        count_portion(call->team, &portion);
    }
    free(tables.memory);
    return IMG_OK;
}

/* --- Rows in order ---------------------------------------------------------------------------- */

/* State of a run on rows that arrive in order. */
typedef struct ByRows {
    ImgCountJob job; /* counts the rows of the current call */
    const ImgCountLoops *loops;
    ImgView dst;
    uint8_t *tables; /* tables of one thread */
    int64_t counted; /* number of pixels in the tables that are not yet in `dst` */
    int64_t left;    /* number of pixels of the picture that are not yet counted */
} ByRows;

/* Returns the method for counting on one thread. */
static const ImgCountLoops *loops_by_rows(const ImgCountJob *job, ImgShape src)
{
    const int64_t pixels = (int64_t)src.width * src.height;
    return loops_for(job, src.format.bits, pixels);
}

uint64_t img_histogram_by_rows_bytes(ImgShape src, const void *params)
{
    const ImgCall call = {.src = img_view_make(NULL, 0, src), .params = params};
    const ImgCountJob job = job_for(&call, &img_luma_rows_portable);
    return loops_by_rows(&job, src)->bytes(&job);
}

static ImgStatus begin(const ImgCall *call, const ImgLumaRows *luma, void **state, ImgError *err)
{
    ByRows *own = *state = calloc(1, sizeof *own);
    if (own == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the counters");
    own->job = job_for(call, luma);
    own->loops = loops_by_rows(&own->job, img_view_shape(&call->src));
    own->dst = call->dst;
    own->left = (int64_t)call->src.width * call->src.height;
    const size_t bytes = own->loops->bytes(&own->job);
    own->tables = aligned_alloc(CACHE_LINE, bytes);
    if (own->tables == NULL) {
        free(own);
        return img_fail(err, IMG_E_MEMORY, "no memory for the counters");
    }
    memset(own->tables, 0, bytes);
    clear_counts(&call->dst);
    return IMG_OK;
}

/* Adds the counts in the tables to the result, and clears the tables. */
static void add_tables(ByRows *own)
{
    if (own->loops->finish != NULL)
        own->loops->finish(&own->job, own->tables);
    for (int row = 0; row < own->job.rows; row++)
        own->loops->add(&own->job, own->tables, row, 0, own->dst.width,
                        img_view_counts(&own->dst, row));
    memset(own->tables, 0, own->loops->bytes(&own->job));
    own->counted = 0;
}

void img_histogram_by_rows_take(void *state, const ImgView *rows, int32_t first_row)
{
    ByRows *own = state;
    (void)first_row;
    set_pixels(&own->job, rows);
    const int64_t pixels = own->job.width * own->job.height;
    for (int64_t first = 0, end; first < pixels; first = end) {
        const int64_t space = IMG_COUNT_PIXELS_MAX - own->counted;
        end = pixels - first < space ? pixels : first + space;
        own->loops->count(&own->job, first, end, own->tables);
        own->counted += end - first;
        own->left -= end - first;
        if (own->counted == IMG_COUNT_PIXELS_MAX || own->left == 0)
            add_tables(own);
    }
}

void img_histogram_by_rows_end(void *state)
{
    ByRows *own = state;
    free(own->tables);
    free(own);
}

/* --- Entry points ----------------------------------------------------------------------------- */

ImgStatus img_histogram_cpu(const ImgCall *call, ImgError *err)
{
    return run(call, &img_luma_rows_portable, err);
}

ImgStatus img_histogram_by_rows(const ImgCall *call, void **state, ImgError *err)
{
    return begin(call, &img_luma_rows_portable, state, err);
}

#ifdef IMGTOOL_X86
ImgStatus img_histogram_cpu_avx2(const ImgCall *call, ImgError *err)
{
    return run(call, &img_luma_rows_avx2, err);
}

ImgStatus img_histogram_by_rows_avx2(const ImgCall *call, void **state, ImgError *err)
{
    return begin(call, &img_luma_rows_avx2, state, err);
}
#endif
