/* One step of a morphological operation on a part of a picture. Files include it with ROWS defined
 * to their name and are compiled for different instruction sets; compilers vectorise the plain
 * loops.
 *
 * Along rows windows double or triple: minima over 9 are those of three windows of 3. So a window
 * of w takes log3(w) passes over a row that stays in the first-level cache, whatever the number of
 * channels. Down columns the method of van Herk and of Gil and Werman takes three minima per
 * sample, whatever the height. Rows are divided into segments as high as the rectangle. A rectangle
 * begins in one segment, where the minima from each row to the end of the segment are kept. It ends
 * in the next, where a running minimum starts at the top. */
#include <string.h>

#include "kernels/morphology/morphology_rows.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef uint16_t Sample16 __attribute__((aligned(1), may_alias));

#define LESSER(a, b)  ((a) < (b) ? (a) : (b))
#define GREATER(a, b) ((a) > (b) ? (a) : (b))

/* Loops over `count` samples. Distances are in samples; results overlap nothing else. */
typedef struct Loops {
    void (*two)(const uint8_t *from, size_t second, uint8_t *to, size_t count);
    void (*three)(const uint8_t *from, size_t second, size_t third, uint8_t *to, size_t count);
    void (*add)(uint8_t *to, const uint8_t *more, size_t count);
    /* Extends the running minimum by the next row (`longer`), and combines that with the end of the
     * segment before (`to`). */
    void (*advance)(const uint8_t *so_far, const uint8_t *next, const uint8_t *end, uint8_t *longer,
                    uint8_t *to, size_t count);
} Loops;

#define LOOPS(name, Sample, BETTER)                                                                \
    static void two_##name(const uint8_t *from, size_t second, uint8_t *to, size_t count)          \
    {                                                                                              \
        const Sample *a = (const Sample *)from, *b = a + second;                                   \
        Sample *restrict out = (Sample *)to;                                                       \
        for (size_t i = 0; i < count; i++)                                                         \
            out[i] = BETTER(a[i], b[i]);                                                           \
    }                                                                                              \
    static void three_##name(const uint8_t *from, size_t second, size_t third, uint8_t *to,        \
                             size_t count)                                                         \
    {                                                                                              \
        const Sample *a = (const Sample *)from, *b = a + second, *c = a + third;                   \
        Sample *restrict out = (Sample *)to;                                                       \
        for (size_t i = 0; i < count; i++) {                                                       \
            const Sample ab = BETTER(a[i], b[i]);                                                  \
            out[i] = BETTER(ab, c[i]);                                                             \
        }                                                                                          \
    }                                                                                              \
    static void add_##name(uint8_t *to, const uint8_t *more, size_t count)                         \
    {                                                                                              \
        const Sample *restrict a = (const Sample *)more;                                           \
        Sample *restrict out = (Sample *)to;                                                       \
        for (size_t i = 0; i < count; i++)                                                         \
            out[i] = BETTER(out[i], a[i]);                                                         \
    }                                                                                              \
    static void advance_##name(const uint8_t *so_far, const uint8_t *next, const uint8_t *end,     \
                               uint8_t *longer, uint8_t *to, size_t count)                         \
    {                                                                                              \
        const Sample *a = (const Sample *)so_far, *b = (const Sample *)next;                       \
        const Sample *c = (const Sample *)end;                                                     \
        Sample *restrict ab = (Sample *)longer;                                                    \
        Sample *restrict out = (Sample *)to;                                                       \
        for (size_t i = 0; i < count; i++) {                                                       \
            const Sample best = BETTER(a[i], b[i]);                                                \
            ab[i] = best;                                                                          \
            out[i] = BETTER(best, c[i]);                                                           \
        }                                                                                          \
    }                                                                                              \
    static const Loops name = {two_##name, three_##name, add_##name, advance_##name};

LOOPS(minima_8, uint8_t, LESSER)
LOOPS(maxima_8, uint8_t, GREATER)
LOOPS(minima_16, Sample16, LESSER)
LOOPS(maxima_16, Sample16, GREATER)

/* Data that all rows of a part share. */
typedef struct Work {
    const ImgMorphologyPart *part;
    const Loops *loops;
    size_t pixel, channels; /* bytes of a pixel; samples of a pixel */
    size_t samples;         /* per row of the part */
    uint8_t background[8];  /* one pixel */
    uint8_t *around[2];     /* rows extended beyond the ends of the part */
    uint8_t *so_far[2];     /* minima from the top of the segment */
    uint8_t *result;        /* a row that will be stored without the caches */
    uint8_t *slots;         /* a row for each row of the rectangle */
    size_t slot;            /* in bytes */
} Work;

static Work start(const ImgMorphologyPart *part)
{
    const ImgFormat format = part->src->format;
    const ImgMorphologyStep *step = part->step;
    Work work = {.part = part,
                 .pixel = img_format_pixel_size(format),
                 .channels = (size_t)img_format_channels(format)};
    const bool wide = format.bits == 16, is_maximum = step->is_maximum != 0;
    work.loops =
        wide ? (is_maximum ? &maxima_16 : &minima_16) : (is_maximum ? &maxima_8 : &minima_8);
    work.samples = (size_t)part->width * work.channels;
    work.slot = (size_t)part->width * work.pixel;
    const size_t around = ((size_t)part->width + (size_t)img_morphology_width(step)) * work.pixel;
    work.around[0] = part->scratch;
    work.around[1] = work.around[0] + around;
    work.so_far[0] = work.around[1] + around;
    work.so_far[1] = work.so_far[0] + work.slot;
    work.result = work.so_far[1] + work.slot;
    work.slots = work.result + work.slot;
    for (size_t c = 0; c < work.channels; c++) {
        const uint16_t sample = step->background[c];
        if (wide)
            memcpy(work.background + 2 * c, &sample, sizeof sample);
        else
            work.background[c] = (uint8_t)sample;
    }
    return work;
}

/* --- Along a row ------------------------------------------------------------------------------ */

static void put_background(const Work *work, size_t pixels, uint8_t *to)
{
    for (size_t x = 0; x < pixels; x++)
        memcpy(to + x * work->pixel, work->background, work->pixel);
}

/* Writes pixels `first` to before `end` of a row, some of which are beyond it. */
static uint8_t *put_beyond(const Work *work, const uint8_t *row, int64_t first, int64_t end,
                           uint8_t *to)
{
    for (int64_t x = first; x < end; x++, to += work->pixel) {
        const int32_t place = img_border_place(x, work->part->src->width, work->part->step->border);
        memcpy(to, place < 0 ? work->background : row + (size_t)place * work->pixel, work->pixel);
    }
    return to;
}

/* Returns the part's share of the row, extended by the windows at its ends: in place, or as a copy
 * if some of it is beyond the row. */
static const uint8_t *row_around(const Work *work, const uint8_t *row)
{
    const ImgMorphologyPart *part = work->part;
    const int64_t first = (int64_t)part->left - part->step->left, width = part->src->width;
    const int64_t end = (int64_t)part->left + part->width + part->step->right;
    const int64_t inside = first > 0 ? first : 0, outside = end < width ? end : width;
    const size_t bytes = (size_t)(outside - inside) * work->pixel;
    if (first >= 0 && end <= width)
        return row + (size_t)first * work->pixel;
    uint8_t *to = put_beyond(work, row, first, inside, work->around[0]);
    memcpy(to, row + (size_t)inside * work->pixel, bytes);
    (void)put_beyond(work, row, outside, end, to + bytes);
    return work->around[0];
}

/* Computes minima of windows along row y of the source, for each pixel of the part. */
static void slide(const Work *work, int32_t y, uint8_t *to)
{
    const ImgMorphologyPart *part = work->part;
    const size_t window = (size_t)img_morphology_width(part->step);
    const uint8_t *from = row_around(work, part->src->data + (size_t)y * part->src->stride);
    size_t span = 1;
    if (window == 1)
        memcpy(to, from, work->slot);
    for (int pass = 1; span < window; pass++) {
        const size_t left = window - span, second = left < span ? left : span;
        const size_t third = left < 2 * span ? left : 2 * span;
        const size_t count = work->samples + (left - third) * work->channels;
        uint8_t *result = third == left ? to : work->around[pass % 2];
        if (second == third)
            work->loops->two(from, second * work->channels, result, count);
        else
            work->loops->three(from, second * work->channels, third * work->channels, result,
                               count);
        span += third;
        from = result;
    }
}

/* --- Results ---------------------------------------------------------------------------------- */

enum { CACHE_LINE = 64 };

/* Stores whole cache lines past the caches, without reading them first. */
static void send(const uint8_t *from, uint8_t *to, size_t bytes)
{
#if defined(__SSE2__)
    const size_t before = (CACHE_LINE - (uintptr_t)to % CACHE_LINE) % CACHE_LINE;
    if (bytes >= before + CACHE_LINE) {
        memcpy(to, from, before);
        from += before, to += before, bytes -= before;
        for (; bytes >= CACHE_LINE; from += CACHE_LINE, to += CACHE_LINE, bytes -= CACHE_LINE)
            for (size_t i = 0; i < CACHE_LINE; i += sizeof(__m128i))
                _mm_stream_si128((__m128i *)(to + i), _mm_loadu_si128((const __m128i *)(from + i)));
    }
#endif
    memcpy(to, from, bytes);
}

static uint8_t *result_row(const Work *work, int64_t i)
{
    const ImgMorphologyPart *part = work->part;
    return part->streamed ? work->result : part->to + (size_t)i * part->to_stride;
}

/* Stores a finished row, which is in the buffer that result_row returned. */
static void end_row(const Work *work, int64_t i)
{
    const ImgMorphologyPart *part = work->part;
    if (part->streamed)
        send(work->result, part->to + (size_t)i * part->to_stride, work->slot);
}

/* --- Down the columns ------------------------------------------------------------------------- */

/* As slide, for a row that may be above or below the picture. */
static void slide_beyond(const Work *work, int64_t y, uint8_t *to)
{
    const int32_t place = img_border_place(y, work->part->src->height, work->part->step->border);
    if (place < 0)
        put_background(work, (size_t)work->part->width, to);
    else
        slide(work, place, to);
}

/* For the segment whose rows are in the slots, computes the minima from each row down to the last,
 * for rows from `first` on. */
static void end_segment(const Work *work, int32_t first, int32_t rows)
{
    for (int32_t j = rows - 2; j >= first; j--) {
        uint8_t *slot = work->slots + (size_t)j * work->slot;
        work->loops->add(slot, slot + work->slot, work->samples);
    }
}

/* Row j of a segment, in its slot, completes the rectangle of row i. */
static void advance_row(const Work *work, int64_t i, int32_t j, int32_t rows)
{
    const uint8_t *slot = work->slots + (size_t)j * work->slot;
    const uint8_t *so_far = j == 0 ? slot : work->so_far[j % 2];
    const uint8_t *end = j == rows - 1 ? slot : slot + work->slot;
    work->loops->advance(so_far, slot, end, work->so_far[(j + 1) % 2], result_row(work, i),
                         work->samples);
    end_row(work, i);
}

/* Nothing is known above the first segment, which is the rectangle of the first row. */
static void go_down(const Work *work, int32_t rows)
{
    const ImgMorphologyPart *part = work->part;
    const int64_t above = part->top - part->step->up;
    for (int32_t j = 0; j < rows; j++)
        slide_beyond(work, above + j, work->slots + (size_t)j * work->slot);
    end_segment(work, 0, rows);
    memcpy(result_row(work, 0), work->slots, work->slot);
    end_row(work, 0);
    for (int64_t i = 1; i < part->height; i++) {
        const int32_t j = (int32_t)((i - 1) % rows);
        slide_beyond(work, above + rows - 1 + i, work->slots + (size_t)j * work->slot);
        advance_row(work, i, j, rows);
        if (j == rows - 1)
            end_segment(work, 1, rows);
    }
}

void ROWS(const ImgMorphologyPart *part)
{
    const Work work = start(part);
    const int32_t rows = img_morphology_height(part->step);
    for (int64_t i = 0; rows == 1 && i < part->height; i++) {
        slide(&work, part->top + (int32_t)i, result_row(&work, i));
        end_row(&work, i);
    }
    if (rows > 1)
        go_down(&work, rows);
#if defined(__SSE2__)
    _mm_sfence();
#endif
}
