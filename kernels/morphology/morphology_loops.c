/* Applies one step of a morphological operation to a part of a picture. This file is compiled once
 * for each instruction set (core/parallel/cpu.h). The loops are plain C, which compilers vectorise.
 *
 * Along rows, each pass doubles or triples the width of the windows. For example, the minimum over
 * 9 samples is the minimum of three minima over 3 samples. A window of w samples takes about
 * log3(w) passes. The row stays in the first-level cache.
 *
 * Down columns, the method of van Herk and of Gil and Werman takes three comparisons per sample,
 * for any height. Rows are divided into segments as high as the rectangle. A rectangle begins in
 * one segment, for which the minima from each row to the segment's end are kept. It ends in the
 * next segment, where a running minimum starts at the top. */
#include <string.h>

#include "kernels/core/parallel/cpu.h"
#include "kernels/morphology/morphology.h"
#include "kernels/simd/simd.h"

typedef uint16_t Sample16 __attribute__((aligned(1), may_alias));

#define LESSER(a, b)  ((a) < (b) ? (a) : (b))
#define GREATER(a, b) ((a) > (b) ? (a) : (b))

/* Inner loops, which compute `count` samples: the smaller or greater of two or three samples each.
 * `second` and `third` are offsets from `from`, in samples. Results must not overlap other
 * arguments. */
typedef struct Loops {
    void (*two)(const uint8_t *from, size_t second, uint8_t *to, size_t count);
    void (*three)(const uint8_t *from, size_t second, size_t third, uint8_t *to, size_t count);
    void (*add)(uint8_t *to, const uint8_t *more, size_t count);
    /* Extends the running minimum `so_far` by the next row, and stores it in `longer`. Then
     * combines it with `end`, the minimum to the end of the segment above, and stores the result in
     * `to`. */
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

/* Data that all rows of a part have in common. */
typedef struct RectangleScan {
    const ImgMorphologyPart *part;
    const Loops *loops;
    size_t pixel, channels; /* number of bytes and of samples per pixel */
    size_t samples;         /* number of samples per row of the part */
    uint8_t background[8];  /* a pixel of the background */
    /* buffers for two rows of the source, with the pixels that windows reach beyond the part */
    uint8_t *around[2];
    /* running minima from the top of the segment: two rows, which are used alternately */
    uint8_t *so_far[2];
    uint8_t *result; /* buffer for a row of results, which streaming stores then copy */
    uint8_t *slots;  /* the rows of a segment, one slot per row of the rectangle */
    size_t slot;     /* number of bytes per slot */
} RectangleScan;

static RectangleScan start(const ImgMorphologyPart *part)
{
    const ImgFormat format = part->src->format;
    const ImgMorphologyStep *step = part->step;
    RectangleScan scan = {.part = part,
                          .pixel = img_format_pixel_size(format),
                          .channels = (size_t)img_format_channels(format)};
    const bool wide = format.bits == 16, is_maximum = step->is_maximum != 0;
    scan.loops =
        wide ? (is_maximum ? &maxima_16 : &minima_16) : (is_maximum ? &maxima_8 : &minima_8);
    scan.samples = (size_t)part->width * scan.channels;
    scan.slot = (size_t)part->width * scan.pixel;
    const size_t around = ((size_t)part->width + (size_t)img_morphology_width(step)) * scan.pixel;
    scan.around[0] = part->scratch;
    scan.around[1] = scan.around[0] + around;
    scan.so_far[0] = scan.around[1] + around;
    scan.so_far[1] = scan.so_far[0] + scan.slot;
    scan.result = scan.so_far[1] + scan.slot;
    scan.slots = scan.result + scan.slot;
    for (size_t c = 0; c < scan.channels; c++) {
        const uint16_t sample = step->background[c];
        if (wide)
            memcpy(scan.background + 2 * c, &sample, sizeof sample);
        else
            scan.background[c] = (uint8_t)sample;
    }
    return scan;
}

/* --- Along a row ------------------------------------------------------------------------------ */

static void put_background(const RectangleScan *scan, size_t pixels, uint8_t *to)
{
    for (size_t x = 0; x < pixels; x++)
        memcpy(to + x * scan->pixel, scan->background, scan->pixel);
}

/* Writes the pixels `first` to `end` - 1 of a row to `to`. Pixels beyond the ends of the row are as
 * the border mode defines. Returns the address after the last pixel written. */
static uint8_t *put_beyond(const RectangleScan *scan, const uint8_t *row, int64_t first,
                           int64_t end, uint8_t *to)
{
    for (int64_t x = first; x < end; x++, to += scan->pixel) {
        const int32_t place = img_border_place(x, scan->part->src->width, scan->part->step->border);
        memcpy(to, place < 0 ? scan->background : row + (size_t)place * scan->pixel, scan->pixel);
    }
    return to;
}

/* Returns the samples of a row that the windows of the part contain. If all of them are inside the
 * row, it returns an address in the row and copies nothing. */
static const uint8_t *row_around(const RectangleScan *scan, const uint8_t *row)
{
    const ImgMorphologyPart *part = scan->part;
    const int64_t first = (int64_t)part->left - part->step->left, width = part->src->width;
    const int64_t end = (int64_t)part->left + part->width + part->step->right;
    const int64_t inside = first > 0 ? first : 0, outside = end < width ? end : width;
    const size_t bytes = (size_t)(outside - inside) * scan->pixel;
    if (first >= 0 && end <= width)
        return row + (size_t)first * scan->pixel;
    uint8_t *to = put_beyond(scan, row, first, inside, scan->around[0]);
    memcpy(to, row + (size_t)inside * scan->pixel, bytes);
    (void)put_beyond(scan, row, outside, end, to + bytes);
    return scan->around[0];
}

/* Computes the minima over windows along row `y` of the source, for each pixel of the part. */
static void slide(const RectangleScan *scan, int32_t y, uint8_t *to)
{
    const ImgMorphologyPart *part = scan->part;
    const size_t window = (size_t)img_morphology_width(part->step);
    const uint8_t *from = row_around(scan, part->src->data + (size_t)y * part->src->stride);
    size_t span = 1;
    if (window == 1)
        memcpy(to, from, scan->slot);
    for (int pass = 1; span < window; pass++) {
        const size_t left = window - span, second = left < span ? left : span;
        const size_t third = left < 2 * span ? left : 2 * span;
        const size_t count = scan->samples + (left - third) * scan->channels;
        uint8_t *result = third == left ? to : scan->around[pass % 2];
        if (second == third)
            scan->loops->two(from, second * scan->channels, result, count);
        else
            scan->loops->three(from, second * scan->channels, third * scan->channels, result,
                               count);
        span += third;
        from = result;
    }
}

/* --- Results ---------------------------------------------------------------------------------- */

enum { CACHE_LINE = 64 };

/* Copies `bytes` bytes with non-temporal stores. These write whole cache lines without reading them
 * from memory first. */
static void send(const uint8_t *from, uint8_t *to, size_t bytes)
{
    const size_t before = (CACHE_LINE - (uintptr_t)to % CACHE_LINE) % CACHE_LINE;
    if (bytes >= before + CACHE_LINE) {
        memcpy(to, from, before);
        from += before, to += before, bytes -= before;
        for (; bytes >= CACHE_LINE; from += CACHE_LINE, to += CACHE_LINE, bytes -= CACHE_LINE)
            for (size_t i = 0; i < CACHE_LINE; i += V_BYTES)
                stream_u8(to + i, load_u8(from + i));
    }
    memcpy(to, from, bytes);
}

static uint8_t *result_row(const RectangleScan *scan, int64_t i)
{
    const ImgMorphologyPart *part = scan->part;
    return part->streamed ? scan->result : part->to + (size_t)i * part->to_stride;
}

/* Finishes row number `i` of the result. With streaming stores, the row is in a buffer and is
 * copied from there. */
static void end_row(const RectangleScan *scan, int64_t i)
{
    const ImgMorphologyPart *part = scan->part;
    if (part->streamed)
        send(scan->result, part->to + (size_t)i * part->to_stride, scan->slot);
}

/* --- Down the columns ------------------------------------------------------------------------- */

/* Computes the same minima as `slide`, but row `y` may be above or below the picture. */
static void slide_beyond(const RectangleScan *scan, int64_t y, uint8_t *to)
{
    const int32_t place = img_border_place(y, scan->part->src->height, scan->part->step->border);
    if (place < 0)
        put_background(scan, (size_t)scan->part->width, to);
    else
        slide(scan, place, to);
}

/* Replaces each row of a segment in the slots by the minimum from this row down to the segment's
 * last row. It goes up from the last row and stops at row number `first`. */
static void end_segment(const RectangleScan *scan, int32_t first, int32_t rows)
{
    for (int32_t j = rows - 2; j >= first; j--) {
        uint8_t *slot = scan->slots + (size_t)j * scan->slot;
        scan->loops->add(slot, slot + scan->slot, scan->samples);
    }
}

/* Processes row number `j` of a segment, which is in its slot. This completes the rectangle of row
 * number `i` of the result. */
static void advance_row(const RectangleScan *scan, int64_t i, int32_t j, int32_t rows)
{
    const uint8_t *slot = scan->slots + (size_t)j * scan->slot;
    const uint8_t *so_far = j == 0 ? slot : scan->so_far[j % 2];
    const uint8_t *end = j == rows - 1 ? slot : slot + scan->slot;
    scan->loops->advance(so_far, slot, end, scan->so_far[(j + 1) % 2], result_row(scan, i),
                         scan->samples);
    end_row(scan, i);
}

/* Computes all rows of the part. The rectangles of row 0 of the result cover exactly the rows of
 * the first segment. So after end_segment, slot 0 is row 0 of the result. Later rectangles may end
 * in the next segment, so advance_row computes their minima. */
static void go_down(const RectangleScan *scan, int32_t rows)
{
    const ImgMorphologyPart *part = scan->part;
    const int64_t above = part->top - part->step->up;
    for (int32_t j = 0; j < rows; j++)
        slide_beyond(scan, above + j, scan->slots + (size_t)j * scan->slot);
    end_segment(scan, 0, rows);
    memcpy(result_row(scan, 0), scan->slots, scan->slot);
    end_row(scan, 0);
    for (int64_t i = 1; i < part->height; i++) {
        const int32_t j = (int32_t)((i - 1) % rows);
        slide_beyond(scan, above + rows - 1 + i, scan->slots + (size_t)j * scan->slot);
        advance_row(scan, i, j, rows);
        if (j == rows - 1)
            end_segment(scan, 1, rows);
    }
}

void IMG_VARIANT(img_morphology_rows)(const ImgMorphologyPart *part)
{
    const RectangleScan scan = start(part);
    const int32_t rows = img_morphology_height(part->step);
    for (int64_t i = 0; rows == 1 && i < part->height; i++) {
        slide(&scan, part->top + (int32_t)i, result_row(&scan, i));
        end_row(&scan, i);
    }
    if (rows > 1)
        go_down(&scan, rows);
    stream_end();
}
