/* The Gaussian on the CPU. Threads take bands of rows, and a row goes through both axes while it is
 * in the cache. A thread needs memory for a few rows, and for the rows of a sum if these must be
 * lifted first. All threads share the reduced pictures, if there are any. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/blur/gaussian_cpu.h"

/* A reduced, lifted picture. */
typedef struct Small {
    int16_t *samples;
    int64_t columns, rows;
} Small;

typedef struct Work {
    const ImgCall *call;
    const ImgBlurEnd *end;
    const ImgGaussian *gaussian;
    const ImgWindowRows *rows;
    ImgLift lift;
    Small shrunk, blurred;
    atomic_bool failed; /* memory is short */
} Work;

/* Returns the number of samples per row of the picture. */
static size_t row_samples(const Work *work)
{
    return (size_t)work->call->src.width * (size_t)work->lift.channels;
}

/* Memory of a thread, allocated piece by piece. */
typedef struct Scratch {
    int16_t *memory;
    size_t used;
} Scratch;

static int16_t *take(Scratch *scratch, size_t samples)
{
    int16_t *piece = scratch->memory + scratch->used;
    scratch->used += samples;
    return piece;
}

/* Returns false when memory is short. */
static bool start(Work *work, Scratch *scratch, size_t samples)
{
    *scratch = (Scratch){malloc(samples * sizeof(int16_t)), 0};
    if (scratch->memory == NULL)
        atomic_store(&work->failed, true);
    return scratch->memory != NULL;
}

/* --- The source ------------------------------------------------------------------------------- */

/* Returns the scratch samples for rows of the source, `kept` of which are weighed. */
static size_t source_samples(const Work *work, int32_t kept)
{
    const bool plain = img_gaussian_is_plain(work->gaussian, work->call->src.format);
    return plain ? 0 : ((size_t)kept + 1) * row_samples(work);
}

static ImgSourceRows source_of(const Work *work, Scratch *scratch, int32_t kept)
{
    ImgSourceRows source = {.view = &work->call->src,
                            .lift = &work->lift,
                            .gaussian = work->gaussian,
                            .rows = work->rows,
                            .next = INT64_MIN,
                            .kept = kept};
    if (img_gaussian_is_plain(source.gaussian, source.view->format))
        return source;
    const size_t samples = row_samples(work), channels = (size_t)work->lift.channels;
    int16_t *background = take(scratch, samples);
    for (size_t i = 0; i < samples; i++)
        background[i] = work->gaussian->background[i % channels];
    source.background = background;
    source.ring = take(scratch, (size_t)kept * samples);
    return source;
}

/* --- The result ------------------------------------------------------------------------------- */

/* `own` has room for a lifted row, which sharpening needs. */
static void finish_row(const Work *work, int32_t y, int16_t *blurred, int16_t *own)
{
    const ImgView *src = &work->call->src, *dst = &work->call->dst;
    if (work->end->sharpens) {
        work->rows->lift(&work->lift, src->data + (size_t)y * src->stride, own, src->width);
        work->rows->unsharp(&work->end->mask, own, blurred, row_samples(work));
    }
    work->rows->lower(&work->lift, blurred, dst->data + (size_t)y * dst->stride, dst->width);
}

/* --- Without reducing
 * -------------------------------------------------------------------------- */

static void blur_band(void *context, int64_t first, int64_t end)
{
    Work *work = context;
    const ImgGaussian *gaussian = work->gaussian;
    const int32_t radius = gaussian->radius, taps = 2 * radius + 2;
    const int32_t width = work->call->src.width, channels = work->lift.channels;
    const size_t samples = row_samples(work), pad = (size_t)radius * (size_t)channels;
    Scratch scratch;
    if (!start(work, &scratch, source_samples(work, taps - 1) + 3 * samples + 2 * pad))
        return;
    ImgSourceRows source = source_of(work, &scratch, taps - 1);
    int16_t *padded = take(&scratch, samples + 2 * pad);
    int16_t *blurred = take(&scratch, samples), *own = take(&scratch, samples);
    for (int64_t y = first; y < end; y++) {
        img_source_weigh(&source, y - radius, gaussian->weights, taps, padded + pad);
        img_pad_row(gaussian, channels, padded + pad, width, radius, radius);
        img_weigh_rows(work->rows, padded, (size_t)channels, gaussian->weights, taps, blurred,
                       samples);
        finish_row(work, (int32_t)y, blurred, own);
    }
    free(scratch.memory);
}

static void copy_band(void *context, int64_t first, int64_t end)
{
    Work *work = context;
    const size_t samples = row_samples(work);
    Scratch scratch;
    if (!start(work, &scratch, 2 * samples))
        return;
    int16_t *blurred = take(&scratch, samples), *own = take(&scratch, samples);
    for (int64_t y = first; y < end; y++) {
        const ImgView *src = &work->call->src;
        work->rows->lift(&work->lift, src->data + (size_t)y * src->stride, blurred, src->width);
        finish_row(work, (int32_t)y, blurred, own);
    }
    free(scratch.memory);
}

/* --- Reduced
 * ----------------------------------------------------------------------------------- */

static void shrink_band(void *context, int64_t first, int64_t end)
{
    Work *work = context;
    const ImgGaussian *gaussian = work->gaussian;
    const int32_t factor = gaussian->factor, taps = IMG_SPLINE_TAPS * factor;
    const int32_t width = work->call->src.width, channels = work->lift.channels;
    const int64_t margin = img_gaussian_margin(gaussian);
    const int64_t left = -img_gaussian_shrink_first(gaussian, -margin);
    const int64_t groups = work->shrunk.columns + IMG_SPLINE_TAPS - 1;
    const int64_t right = groups * factor - left - width;
    const size_t padded_samples = (size_t)(groups * factor) * (size_t)channels;
    Scratch scratch;
    if (!start(work, &scratch, source_samples(work, taps) + 2 * padded_samples))
        return;
    ImgSourceRows source = source_of(work, &scratch, taps);
    int16_t *padded = take(&scratch, padded_samples), *split = take(&scratch, padded_samples);
    const size_t stride = (size_t)groups * (size_t)channels;
    const size_t samples = (size_t)work->shrunk.columns * (size_t)channels;
    const void *places[IMG_SPLINE_TAPS * IMG_GAUSSIAN_FACTOR];
    for (int32_t k = 0; k < taps; k++)
        places[k] = split + (size_t)(k % factor) * stride + (size_t)(k / factor * channels);
    const ImgTaps across = {places, gaussian->shrink, taps, IMG_WEIGHT_PLACES, 0};
    for (int64_t i = first; i < end; i++) {
        int16_t *row = padded + left * channels;
        img_source_weigh(&source, img_gaussian_shrink_first(gaussian, i - margin), gaussian->shrink,
                         taps, row);
        img_pad_row(gaussian, channels, row, width, left, right);
        img_split_groups(padded, channels, factor, groups, split, stride);
        work->rows->weigh_lifted(&across, work->shrunk.samples + (size_t)i * samples, samples);
    }
    free(scratch.memory);
}

static void blur_small_band(void *context, int64_t first, int64_t end)
{
    Work *work = context;
    const ImgGaussian *gaussian = work->gaussian;
    const size_t channels = (size_t)work->lift.channels;
    const size_t samples = (size_t)work->shrunk.columns * channels;
    const size_t result = (size_t)work->blurred.columns * channels;
    Scratch scratch;
    if (!start(work, &scratch, samples))
        return;
    for (int64_t i = first; i < end; i++) {
        img_weigh_rows(work->rows, work->shrunk.samples + (size_t)i * samples, samples,
                       gaussian->weights, 2 * gaussian->radius + 2, scratch.memory, samples);
        img_weigh_rows(work->rows, scratch.memory, channels, gaussian->weights,
                       2 * gaussian->radius + 2, work->blurred.samples + (size_t)i * result,
                       result);
    }
    free(scratch.memory);
}

/* Enlarges a reduced row to the width of the picture: computes all first pixels of groups, all
 * second ones and so on, and interleaves them. The reduced row begins 2 before the first group. */
static void enlarge_row(const Work *work, const int16_t *small, int16_t *split, int16_t *row)
{
    const ImgGaussian *gaussian = work->gaussian;
    const int32_t factor = gaussian->factor, channels = work->lift.channels;
    const size_t stride = (size_t)(work->blurred.columns - IMG_SPLINE_TAPS) * (size_t)channels;
    for (int32_t place = 0; place < factor; place++) {
        const int32_t first = 2 + img_gaussian_enlarge_first(gaussian, place);
        img_weigh_rows(work->rows, small + (ptrdiff_t)first * channels, (size_t)channels,
                       gaussian->enlarge[place], IMG_SPLINE_TAPS, split + (size_t)place * stride,
                       stride);
    }
    img_join_groups(split, stride, channels, factor, work->call->src.width, row);
}

static void enlarge_band(void *context, int64_t first, int64_t end)
{
    Work *work = context;
    const ImgGaussian *gaussian = work->gaussian;
    const int32_t factor = gaussian->factor;
    const size_t small_samples = (size_t)work->blurred.columns * (size_t)work->lift.channels;
    const size_t samples = row_samples(work);
    Scratch scratch;
    if (!start(work, &scratch, small_samples * (size_t)(1 + factor) + 2 * samples))
        return;
    int16_t *small = take(&scratch, small_samples);
    int16_t *split = take(&scratch, small_samples * (size_t)factor);
    int16_t *blurred = take(&scratch, samples), *own = take(&scratch, samples);
    for (int64_t y = first; y < end; y++) {
        const int32_t place = (int32_t)(y % factor);
        const int64_t row = y / factor + 2 + img_gaussian_enlarge_first(gaussian, place);
        img_weigh_rows(work->rows, work->blurred.samples + (size_t)row * small_samples,
                       small_samples, gaussian->enlarge[place], IMG_SPLINE_TAPS, small,
                       small_samples);
        enlarge_row(work, small, split, blurred);
        finish_row(work, (int32_t)y, blurred, own);
    }
    free(scratch.memory);
}

static bool small_alloc(Small *small, int64_t columns, int64_t rows, int32_t channels)
{
    *small = (Small){malloc((size_t)columns * (size_t)rows * (size_t)channels * sizeof(int16_t)),
                     columns, rows};
    return small->samples != NULL;
}

/* --- All -------------------------------------------------------------------------------------- */

static void each_row(Work *work, int64_t rows, ImgRangeFunction *band)
{
    const ImgView *src = &work->call->src;
    const uint64_t pixels = (uint64_t)src->width * (uint64_t)src->height;
    const bool small = pixels * img_format_pixel_size(src->format) < IMG_BYTES_WORTH_THREADS;
    if (!atomic_load(&work->failed))
        img_parallel_for(work->call->team, small ? 1 : work->call->threads, rows, band, work);
}

static void run_smaller(Work *work)
{
    const int64_t factor = work->gaussian->factor, margin = img_gaussian_margin(work->gaussian);
    const int64_t columns = (work->call->src.width - 1) / factor + 1;
    const int64_t rows = (work->call->src.height - 1) / factor + 1;
    const int32_t channels = work->lift.channels;
    if (small_alloc(&work->shrunk, columns + 2 * margin, rows + 2 * margin, channels) &&
        small_alloc(&work->blurred, columns + IMG_SPLINE_TAPS, rows + IMG_SPLINE_TAPS, channels)) {
        each_row(work, work->shrunk.rows, shrink_band);
        each_row(work, work->blurred.rows, blur_small_band);
        each_row(work, work->call->src.height, enlarge_band);
    } else {
        atomic_store(&work->failed, true);
    }
    free(work->shrunk.samples);
    free(work->blurred.samples);
}

static ImgStatus run(const ImgCall *call, const ImgWindowRows *rows, ImgError *err)
{
    const ImgBlurEnd *end = call->constants.bytes;
    Work work = {.call = call,
                 .end = end,
                 .gaussian = &end->gaussian,
                 .rows = rows,
                 .lift = img_lift_of(call->src.format)};
    atomic_init(&work.failed, false);
    if (end->gaussian.factor > 1)
        run_smaller(&work);
    else
        each_row(&work, call->src.height, end->gaussian.radius == 0 ? copy_band : blur_band);
    if (atomic_load(&work.failed))
        return img_fail(err, IMG_E_MEMORY, "no memory to blur %d x %d pixels", call->src.width,
                        call->src.height);
    return IMG_OK;
}

ImgStatus img_gaussian_cpu(const ImgCall *call, ImgError *err)
{
    return run(call, &img_window_rows_portable, err);
}

#ifdef IMGTOOL_NEON
ImgStatus img_gaussian_cpu_neon(const ImgCall *call, ImgError *err)
{
    return run(call, &img_window_rows_neon, err);
}
#endif

#ifdef IMGTOOL_X86
ImgStatus img_gaussian_cpu_avx2(const ImgCall *call, ImgError *err)
{
    return run(call, &img_window_rows_avx2, err);
}

ImgStatus img_gaussian_cpu_avx512(const ImgCall *call, ImgError *err)
{
    return run(call, &img_window_rows_avx512, err);
}
#endif
