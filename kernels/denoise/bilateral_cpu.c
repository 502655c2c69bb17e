/* The bilateral filter on the CPU. Each thread filters bands of rows. It keeps as many source rows
 * in memory as the disc is high. These rows are split into planes (weighed_loops.c) and extended
 * at both ends. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/denoise/weighed_rows.h"

typedef struct BilateralRows {
    const ImgCall *call;
    const ImgBilateral *own;
    const ImgWeighedRows *rows;
    size_t pitch;       /* distance between rows of a plane, in 16-bit numbers */
    int32_t planes;     /* number of planes per row */
    atomic_bool failed; /* true if a thread could not allocate its memory */
} BilateralRows;

/* --- Planes ----------------------------------------------------------------------------------- */

/* Computes the planes of `count` pixels of a row. `samples` has one row per channel. The rows in
 * `samples` and in `planes` have the same pitch. */
static void make_planes(const BilateralRows *bilateral, const uint16_t *samples, int32_t count,
                        uint16_t *planes)
{
    const ImgWeighed *weighed = &bilateral->own->weighed;
    const size_t colors = (size_t)weighed->colors, pitch = bilateral->pitch;
    const uint16_t *alpha = samples + colors * pitch;
    uint16_t *high = planes + colors * pitch, *low = high + colors * pitch;
    uint16_t *weights = planes + (size_t)(bilateral->planes - 1) * pitch;
    for (size_t c = 0; c < colors; c++, samples += pitch, planes += pitch)
        if (weighed->bits == 8)
            memcpy(planes, samples, (size_t)count * sizeof *samples);
        else
            for (size_t x = 0; x < (size_t)count; x++) {
                planes[x] = (uint16_t)img_bilateral_guide(samples[x], 16);
                high[c * pitch + x] = samples[x] >> 8;
                low[c * pitch + x] = samples[x] & 255;
            }
    for (int32_t x = 0; weighed->has_alpha && x < count; x++)
        weights[x] = (uint16_t)img_alpha_15(alpha[x], weighed->bits);
}

/* Extends a row of a plane by `radius` numbers on each side, as the border defines. Positions
 * without a source pixel get `background`. */
static void pad_plane(const BilateralRows *bilateral, uint16_t *plane, uint16_t background)
{
    const int32_t width = bilateral->call->src.width, radius = bilateral->own->radius;
    const int32_t border = bilateral->own->weighed.border;
    for (int32_t i = 1; i <= radius; i++) {
        const int32_t before = img_border_place(-i, width, border);
        const int32_t after = img_border_place((int64_t)width + i - 1, width, border);
        plane[-i] = before < 0 ? background : plane[before];
        plane[width + i - 1] = after < 0 ? background : plane[after];
    }
}

/* Loads row `y` of the source as planes into `row`. `y` may be above or below the picture.
 * `scratch` has room for one row of samples. */
static void load_row(const BilateralRows *bilateral, int64_t y, uint16_t *scratch, uint16_t *row)
{
    const ImgView *src = &bilateral->call->src;
    const ImgWeighed *weighed = &bilateral->own->weighed;
    const int32_t line = img_border_place(y, src->height, weighed->border);
    for (int32_t c = 0; c < weighed->channels; c++)
        scratch[(size_t)c * bilateral->pitch] = weighed->background[c];
    make_planes(bilateral, scratch, 1, row);
    uint16_t background[10];
    for (int32_t p = 0; p < bilateral->planes; p++)
        background[p] = row[(size_t)p * bilateral->pitch];
    if (line >= 0) {
        bilateral->rows->split(weighed, src->data + (size_t)line * src->stride, src->format.bits,
                               src->width, scratch, bilateral->pitch);
        make_planes(bilateral, scratch, src->width, row);
    }
    for (int32_t p = 0; p < bilateral->planes; p++) {
        uint16_t *plane = row + (size_t)p * bilateral->pitch;
        for (int32_t x = 0; line < 0 && x < src->width; x++)
            plane[x] = background[p];
        pad_plane(bilateral, plane, background[p]);
    }
}

/* --- Rows ------------------------------------------------------------------------------------- */

/* Restores from the source the samples that the filter must not change: alpha, and the colours of
 * pixels with alpha 0. */
static void keep_hidden(const BilateralRows *bilateral, int32_t y, uint16_t *scratch,
                        uint16_t *filtered)
{
    const ImgView *src = &bilateral->call->src;
    const size_t colors = (size_t)bilateral->own->weighed.colors, pitch = bilateral->pitch;
    const uint16_t *alpha = scratch + colors * pitch;
    bilateral->rows->split(&bilateral->own->weighed, src->data + (size_t)y * src->stride,
                           src->format.bits, src->width, scratch, pitch);
    for (size_t c = 0; c < colors; c++)
        for (size_t x = 0; x < (size_t)src->width; x++)
            if (alpha[x] == 0)
                filtered[c * pitch + x] = scratch[c * pitch + x];
    memcpy(filtered + colors * pitch, alpha, (size_t)src->width * sizeof *alpha);
}

static void filter_rows(const BilateralRows *bilateral, int64_t first, int64_t end,
                        uint16_t *memory)
{
    const int32_t radius = bilateral->own->radius, kept = 2 * radius + 1;
    const ImgView *dst = &bilateral->call->dst;
    const size_t row = (size_t)bilateral->planes * bilateral->pitch;
    uint16_t *ring = memory + radius, *scratch = memory + (size_t)kept * row;
    uint16_t *filtered = scratch + 4 * bilateral->pitch;
    const uint16_t *rows[2 * IMG_BILATERAL_RADIUS + 1];
    for (int64_t y = first - radius; y < end + radius; y++) {
        load_row(bilateral, y, scratch, ring + (size_t)((y - first + radius) % kept) * row);
        const int64_t middle = y - radius;
        if (middle < first)
            continue;
        for (int32_t i = 0; i < kept; i++)
            rows[i] = ring + (size_t)((middle - first + i) % kept) * row;
        bilateral->rows->bilateral(bilateral->own, rows, bilateral->pitch, dst->width, filtered);
        if (bilateral->own->weighed.has_alpha)
            keep_hidden(bilateral, (int32_t)middle, scratch, filtered);
        bilateral->rows->join(&bilateral->own->weighed, filtered, bilateral->pitch, dst->width,
                              dst->data + (size_t)middle * dst->stride);
    }
}

static size_t pitch_of(int32_t width, int32_t radius)
{
    return (size_t)width + 2 * (size_t)radius + IMG_WEIGHED_SLACK;
}

/* Returns the number of planes that a thread allocates. They are the planes of the rows that the
 * disc covers, and one plane per channel, at most four, for each of two more rows: the row that is
 * loaded and the row that is filtered. */
static size_t planes_of(int32_t radius, int32_t planes)
{
    return (2 * (size_t)radius + 1) * (size_t)planes + 4 + 4;
}

/* Returns the largest number of bytes that all calls of filter_band together allocate. It assumes
 * one band per thread. Small pictures, or small radii, are filtered by one thread and need less. */
uint64_t img_bilateral_scratch(int32_t radius, ImgShape src, int threads)
{
    const ImgFormat format = src.format;
    const bool has_alpha = img_format_has_alpha(format);
    const int32_t colors = img_format_channels(format) - has_alpha;
    const int32_t planes = colors * (format.bits == 16 ? 3 : 1) + has_alpha;
    const int bands = src.height < threads ? src.height : threads;
    return planes_of(radius, planes) * pitch_of(src.width, radius) * sizeof(uint16_t) *
           (uint64_t)bands;
}

static void filter_band(void *context, int64_t first, int64_t end)
{
    BilateralRows *bilateral = context;
    const size_t planes = planes_of(bilateral->own->radius, bilateral->planes);
    uint16_t *memory = calloc(planes * bilateral->pitch, sizeof *memory);
    if (memory == NULL)
        atomic_store(&bilateral->failed, true);
    else
        filter_rows(bilateral, first, end, memory);
    free(memory);
}

static ImgStatus run(const ImgCall *call, const ImgWeighedRows *rows, ImgError *err)
{
    const ImgBilateral *own = call->constants.bytes;
    const ImgView *src = &call->src;
    const size_t pitch = pitch_of(src->width, own->radius);
    const int32_t colors = own->weighed.colors;
    BilateralRows bilateral = {.call = call,
                               .own = own,
                               .rows = rows,
                               .pitch = pitch,
                               .planes = colors * (own->weighed.bits == 16 ? 3 : 1) +
                                         own->weighed.has_alpha};
    atomic_init(&bilateral.failed, false);
    const bool small = (uint64_t)src->width * (uint64_t)src->height * (uint64_t)own->count <
                       IMG_BYTES_WORTH_THREADS;
    img_parallel_for(call->team, small ? 1 : call->threads, src->height, filter_band, &bilateral);
    if (atomic_load(&bilateral.failed))
        return img_fail(err, IMG_E_MEMORY, "no memory to filter %d x %d pixels", src->width,
                        src->height);
    return IMG_OK;
}

IMG_DEFINE_CPU_RUNS(img_bilateral_cpu, run, &img_weighed_rows)
