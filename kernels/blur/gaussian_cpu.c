/* The Gaussian on the CPU. Each thread processes a band of rows. It filters each row along both
 * axes while the row is in the cache. A thread needs memory for a few rows. If source rows must be
 * lifted (converted, window/lift.h), the thread also stores the lifted rows that one sum
 * reads. All threads share the reduced pictures. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/blur/gaussian_cpu.h"

/* A reduced picture of lifted samples (window/lift.h). */
typedef struct Small {
    int16_t *samples;
    int64_t columns, rows;
} Small;

typedef struct GaussianBlur {
    const ImgCall *call;
    const ImgBlurEnd *end;
    const ImgGaussian *gaussian;
    const ImgWindowRows *rows;
    ImgLift lift;
    Small shrunk, blurred;
    atomic_bool failed; /* true if a thread could not allocate memory */
} GaussianBlur;

/* Returns the number of samples in a row of the source. */
static size_t row_samples(const GaussianBlur *blur)
{
    return (size_t)blur->call->src.width * (size_t)blur->lift.channels;
}

/* Memory that a thread allocates once; `take` hands out parts of it one after another. */
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

/* Allocates memory for `samples` samples. On failure it sets blur->failed and returns false. */
static bool start(GaussianBlur *blur, Scratch *scratch, size_t samples)
{
    *scratch = (Scratch){malloc(samples * sizeof(int16_t)), 0};
    if (scratch->memory == NULL)
        atomic_store(&blur->failed, true);
    return scratch->memory != NULL;
}

/* --- The source ------------------------------------------------------------------------------- */

/* Returns how many samples a thread allocates for converted source rows if a sum needs `kept` rows.
 * Returns 0 if sums read the source directly. */
static size_t source_samples(const GaussianBlur *blur, int32_t kept)
{
    const bool plain = img_gaussian_is_plain(blur->gaussian, blur->call->src.format);
    return plain ? 0 : ((size_t)kept + 1) * row_samples(blur);
}

static ImgSourceRows source_of(const GaussianBlur *blur, Scratch *scratch, int32_t kept)
{
    ImgSourceRows source = {.view = &blur->call->src,
                            .lift = &blur->lift,
                            .gaussian = blur->gaussian,
                            .rows = blur->rows,
                            .next = INT64_MIN,
                            .kept = kept};
    if (img_gaussian_is_plain(source.gaussian, source.view->format))
        return source;
    const size_t samples = row_samples(blur), channels = (size_t)blur->lift.channels;
    int16_t *background = take(scratch, samples);
    for (size_t i = 0; i < samples; i++)
        background[i] = blur->gaussian->background[i % channels];
    source.background = background;
    source.ring = take(scratch, (size_t)kept * samples);
    return source;
}

/* --- The result ------------------------------------------------------------------------------- */

/* Stores a blurred row as row y of the result. If the operation sharpens, sharpens the row first.
 * `own` is a buffer for a row of lifted samples (window/lift.h), which sharpening needs. */
static void finish_row(const GaussianBlur *blur, int32_t y, int16_t *blurred, int16_t *own)
{
    const ImgView *src = &blur->call->src, *dst = &blur->call->dst;
    if (blur->end->sharpens) {
        blur->rows->lift(&blur->lift, src->data + (size_t)y * src->stride, own, src->width);
        blur->rows->unsharp(&blur->end->mask, own, blurred, row_samples(blur));
    }
    blur->rows->lower(&blur->lift, blurred, dst->data + (size_t)y * dst->stride, dst->width);
}

/* --- Without reducing ------------------------------------------------------------------------- */

static void blur_band(void *context, int64_t first, int64_t end)
{
    GaussianBlur *blur = context;
    const ImgGaussian *gaussian = blur->gaussian;
    const int32_t radius = gaussian->radius, taps = 2 * radius + 2;
    const int32_t width = blur->call->src.width, channels = blur->lift.channels;
    const size_t samples = row_samples(blur), pad = (size_t)radius * (size_t)channels;
    Scratch scratch;
    if (!start(blur, &scratch, source_samples(blur, taps - 1) + 3 * samples + 2 * pad))
        return;
    ImgSourceRows source = source_of(blur, &scratch, taps - 1);
    int16_t *padded = take(&scratch, samples + 2 * pad);
    int16_t *blurred = take(&scratch, samples), *own = take(&scratch, samples);
    for (int64_t y = first; y < end; y++) {
        img_source_weigh(&source, y - radius, gaussian->weights, taps, padded + pad);
        img_pad_row(gaussian, channels, padded + pad, width, radius, radius);
        img_weigh_rows(blur->rows, padded, (size_t)channels, gaussian->weights, taps, blurred,
                       samples);
        finish_row(blur, (int32_t)y, blurred, own);
    }
    free(scratch.memory);
}

static void copy_band(void *context, int64_t first, int64_t end)
{
    GaussianBlur *blur = context;
    const size_t samples = row_samples(blur);
    Scratch scratch;
    if (!start(blur, &scratch, 2 * samples))
        return;
    int16_t *blurred = take(&scratch, samples), *own = take(&scratch, samples);
    for (int64_t y = first; y < end; y++) {
        const ImgView *src = &blur->call->src;
        blur->rows->lift(&blur->lift, src->data + (size_t)y * src->stride, blurred, src->width);
        finish_row(blur, (int32_t)y, blurred, own);
    }
    free(scratch.memory);
}

/* --- With reducing ---------------------------------------------------------------------------- */

static void shrink_band(void *context, int64_t first, int64_t end)
{
    GaussianBlur *blur = context;
    const ImgGaussian *gaussian = blur->gaussian;
    const int32_t factor = gaussian->factor, taps = IMG_SPLINE_TAPS * factor;
    const int32_t width = blur->call->src.width, channels = blur->lift.channels;
    const int64_t margin = img_gaussian_margin(gaussian);
    const int64_t left = -img_gaussian_shrink_first(gaussian, -margin);
    const int64_t groups = blur->shrunk.columns + IMG_SPLINE_TAPS - 1;
    const int64_t right = groups * factor - left - width;
    const size_t padded_samples = (size_t)(groups * factor) * (size_t)channels;
    Scratch scratch;
    if (!start(blur, &scratch, source_samples(blur, taps) + 2 * padded_samples))
        return;
    ImgSourceRows source = source_of(blur, &scratch, taps);
    int16_t *padded = take(&scratch, padded_samples), *split = take(&scratch, padded_samples);
    const size_t stride = (size_t)groups * (size_t)channels;
    const size_t samples = (size_t)blur->shrunk.columns * (size_t)channels;
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
        blur->rows->weigh_lifted(&across, blur->shrunk.samples + (size_t)i * samples, samples);
    }
    free(scratch.memory);
}

static void blur_small_band(void *context, int64_t first, int64_t end)
{
    GaussianBlur *blur = context;
    const ImgGaussian *gaussian = blur->gaussian;
    const size_t channels = (size_t)blur->lift.channels;
    const size_t samples = (size_t)blur->shrunk.columns * channels;
    const size_t result = (size_t)blur->blurred.columns * channels;
    Scratch scratch;
    if (!start(blur, &scratch, samples))
        return;
    for (int64_t i = first; i < end; i++) {
        img_weigh_rows(blur->rows, blur->shrunk.samples + (size_t)i * samples, samples,
                       gaussian->weights, 2 * gaussian->radius + 2, scratch.memory, samples);
        img_weigh_rows(blur->rows, scratch.memory, channels, gaussian->weights,
                       2 * gaussian->radius + 2, blur->blurred.samples + (size_t)i * result,
                       result);
    }
    free(scratch.memory);
}

/* Enlarges a row of the reduced picture to the width of the picture. It computes the first pixels
 * of all groups, then the second pixels and so on, and interleaves them. `small` must begin 2
 * samples before the first group. */
static void enlarge_row(const GaussianBlur *blur, const int16_t *small, int16_t *split,
                        int16_t *row)
{
    const ImgGaussian *gaussian = blur->gaussian;
    const int32_t factor = gaussian->factor, channels = blur->lift.channels;
    const size_t stride = (size_t)(blur->blurred.columns - IMG_SPLINE_TAPS) * (size_t)channels;
    for (int32_t place = 0; place < factor; place++) {
        const int32_t first = 2 + img_gaussian_enlarge_first(gaussian, place);
        img_weigh_rows(blur->rows, small + (ptrdiff_t)first * channels, (size_t)channels,
                       gaussian->enlarge[place], IMG_SPLINE_TAPS, split + (size_t)place * stride,
                       stride);
    }
    img_join_groups(split, stride, channels, factor, blur->call->src.width, row);
}

static void enlarge_band(void *context, int64_t first, int64_t end)
{
    GaussianBlur *blur = context;
    const ImgGaussian *gaussian = blur->gaussian;
    const int32_t factor = gaussian->factor;
    const size_t small_samples = (size_t)blur->blurred.columns * (size_t)blur->lift.channels;
    const size_t samples = row_samples(blur);
    Scratch scratch;
    if (!start(blur, &scratch, small_samples * (size_t)(1 + factor) + 2 * samples))
        return;
    int16_t *small = take(&scratch, small_samples);
    int16_t *split = take(&scratch, small_samples * (size_t)factor);
    int16_t *blurred = take(&scratch, samples), *own = take(&scratch, samples);
    for (int64_t y = first; y < end; y++) {
        const int32_t place = (int32_t)(y % factor);
        const int64_t row = y / factor + 2 + img_gaussian_enlarge_first(gaussian, place);
        img_weigh_rows(blur->rows, blur->blurred.samples + (size_t)row * small_samples,
                       small_samples, gaussian->enlarge[place], IMG_SPLINE_TAPS, small,
                       small_samples);
        enlarge_row(blur, small, split, blurred);
        finish_row(blur, (int32_t)y, blurred, own);
    }
    free(scratch.memory);
}

static bool small_alloc(Small *small, int64_t columns, int64_t rows, int32_t channels)
{
    *small = (Small){malloc((size_t)columns * (size_t)rows * (size_t)channels * sizeof(int16_t)),
                     columns, rows};
    return small->samples != NULL;
}

/* --- The whole picture ------------------------------------------------------------------------ */

static void each_row(GaussianBlur *blur, int64_t rows, ImgRangeFunction *band)
{
    const ImgView *src = &blur->call->src;
    const uint64_t pixels = (uint64_t)src->width * (uint64_t)src->height;
    const bool small = pixels * img_format_pixel_size(src->format) < IMG_BYTES_WORTH_THREADS;
    if (!atomic_load(&blur->failed))
        img_parallel_for(blur->call->team, small ? 1 : blur->call->threads, rows, band, blur);
}

static void run_smaller(GaussianBlur *blur)
{
    const int64_t factor = blur->gaussian->factor, margin = img_gaussian_margin(blur->gaussian);
    const int64_t columns = (blur->call->src.width - 1) / factor + 1;
    const int64_t rows = (blur->call->src.height - 1) / factor + 1;
    const int32_t channels = blur->lift.channels;
    if (small_alloc(&blur->shrunk, columns + 2 * margin, rows + 2 * margin, channels) &&
        small_alloc(&blur->blurred, columns + IMG_SPLINE_TAPS, rows + IMG_SPLINE_TAPS, channels)) {
        each_row(blur, blur->shrunk.rows, shrink_band);
        each_row(blur, blur->blurred.rows, blur_small_band);
        each_row(blur, blur->call->src.height, enlarge_band);
    } else {
        atomic_store(&blur->failed, true);
    }
    free(blur->shrunk.samples);
    free(blur->blurred.samples);
}

static ImgStatus run(const ImgCall *call, const ImgWindowRows *rows, ImgError *err)
{
    const ImgBlurEnd *end = call->constants.bytes;
    GaussianBlur blur = {.call = call,
                         .end = end,
                         .gaussian = &end->gaussian,
                         .rows = rows,
                         .lift = img_lift_of(call->src.format)};
    atomic_init(&blur.failed, false);
    if (end->gaussian.factor > 1)
        run_smaller(&blur);
    else
        each_row(&blur, call->src.height, end->gaussian.radius == 0 ? copy_band : blur_band);
    if (atomic_load(&blur.failed))
        return img_fail(err, IMG_E_MEMORY, "no memory to blur %d x %d pixels", call->src.width,
                        call->src.height);
    return IMG_OK;
}

IMG_DEFINE_CPU_RUNS(img_gaussian_cpu, run, &img_window_rows)
