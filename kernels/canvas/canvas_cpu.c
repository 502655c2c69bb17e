/* Puts a picture on a canvas on the CPU, row by row. The part of a row that comes from the source
 * is copied at once. Margins repeat with a period, so each further copy can be twice as long as the
 * one before. */
#include <string.h>

#include "kernels/canvas/canvas.h"

typedef struct Rows {
    const ImgView *src, *dst;
    const ImgCanvas *canvas;
    size_t pixel; /* bytes per pixel of the result */
} Rows;

/* --- Pixels of another format ----------------------------------------------------------------- */

/* Converts `count` pixels of `channels` channels to pixels of `made` channels. `bytes` is the
 * number of bytes per sample, 1 or 2. One-byte samples are multiplied by `scale`. */
static inline __attribute__((always_inline)) void widen_pixels(const uint8_t *from, uint8_t *to,
                                                               size_t count, size_t channels,
                                                               size_t made, size_t bytes,
                                                               uint8_t scale)
{
    const size_t colors = channels < 3 ? 1 : 3, made_colors = made < 3 ? 1 : 3;
    for (size_t x = 0; x < count; x++, from += channels * bytes, to += made * bytes) {
        for (size_t c = 0; c < made_colors; c++)
            if (bytes == 1)
                to[c] = (uint8_t)(from[colors == 1 ? 0 : c] * scale);
            else
                memcpy(to + c * bytes, from + (colors == 1 ? 0 : c) * bytes, bytes);
        if (colors < channels)
            memcpy(to + made_colors * bytes, from + colors * bytes, bytes);
        else if (made_colors < made)
            memset(to + made_colors * bytes, 0xff, bytes);
    }
}

/* Calls widen_pixels with constant arguments for each pair of formats, so that the compiler makes a
 * separate loop for each pair. */
static void widen_row(const Rows *rows, const uint8_t *from, uint8_t *to, size_t count)
{
    const ImgFormat src = rows->src->format, dst = rows->dst->format;
    const int channels = img_format_channels(src), made = img_format_channels(dst);
    const uint8_t scale = src.bits < 8 ? (uint8_t)(255 / img_format_maximum(src)) : 1;
#define KIND(channels_of_src, channels_of_dst)                                                     \
    if (channels == (channels_of_src) && made == (channels_of_dst)) {                              \
        if (dst.bits == 16)                                                                        \
            widen_pixels(from, to, count, (channels_of_src), (channels_of_dst), 2, 1);             \
        else                                                                                       \
            widen_pixels(from, to, count, (channels_of_src), (channels_of_dst), 1, scale);         \
        return;                                                                                    \
    }
    KIND(1, 2)
    KIND(1, 3)
    KIND(1, 4)
    KIND(2, 4)
    KIND(3, 4)
#undef KIND
}

static void copy_row(const Rows *rows, const uint8_t *from, uint8_t *to, size_t count)
{
    if (rows->src->format.color == rows->dst->format.color)
        memcpy(to, from, count * rows->pixel);
    else
        widen_row(rows, from, to, count);
}

/* --- Margins ---------------------------------------------------------------------------------- */

/* Fills the bytes `from` to `end` - 1 of a row by repeating the `period` bytes before them. */
static void repeat_after(uint8_t *row, size_t from, size_t end, size_t period)
{
    for (size_t known = period; from < end;) {
        const size_t count = known < end - from ? known : end - from;
        memcpy(row + from, row + from - known, count);
        from += count;
        known += count;
    }
}

/* Fills the bytes 0 to `end` - 1 of a row by repeating the `period` bytes after them. */
static void repeat_before(uint8_t *row, size_t end, size_t period)
{
    for (size_t known = period; end > 0;) {
        const size_t count = known < end ? known : end;
        memcpy(row + end - count, row + end - count + known, count);
        end -= count;
        known += count;
    }
}

/* Fills `bytes` bytes of a row with pixels of the background. */
static void fill(uint8_t *row, size_t bytes, const Rows *rows)
{
    if (bytes == 0)
        return;
    memcpy(row, rows->canvas->background, rows->pixel);
    repeat_after(row, rows->pixel, bytes, rows->pixel);
}

/* Mirrors the filled bytes, *begin to *end - 1, at both of their ends. It stops at the ends of the
 * row of `bytes` bytes, or when every filled pixel has been mirrored once. Moves *begin and *end to
 * the ends of the filled part. */
static inline void mirror(uint8_t *row, size_t *begin, size_t *end, size_t bytes, size_t pixel)
{
    const size_t first = *begin, last = *end - pixel;
    while (*begin > 0 && first - *begin < last - first) {
        *begin -= pixel;
        memcpy(row + *begin, row + 2 * first - *begin, pixel);
    }
    while (*end < bytes && *end - last <= last - first) {
        memcpy(row + *end, row + 2 * last - *end, pixel);
        *end += pixel;
    }
}

/* Calls `mirror` with a constant pixel size for the most frequent sizes, so that the compiler can
 * optimise it. */
static void mirror_pixels(uint8_t *row, size_t *begin, size_t *end, size_t bytes, size_t pixel)
{
    if (pixel == 1)
        mirror(row, begin, end, bytes, 1);
    else if (pixel == 3)
        mirror(row, begin, end, bytes, 3);
    else if (pixel == 4)
        mirror(row, begin, end, bytes, 4);
    else
        mirror(row, begin, end, bytes, pixel);
}

/* Fills the margins of a row of `bytes` bytes as the border defines. The bytes `begin` to `end` - 1
 * already come from the source. `done` is a row whose margins already have the background, or
 * NULL. */
static void extend(uint8_t *row, size_t begin, size_t end, size_t bytes, const uint8_t *done,
                   const Rows *rows)
{
    const size_t pixel = rows->pixel, width = end - begin;
    size_t period = pixel;
    switch ((ImgBorder)rows->canvas->border) {
    case IMG_BORDER_CONSTANT:
        if (done != NULL) {
            memcpy(row, done, begin);
            memcpy(row + end, done + end, bytes - end);
            return;
        }
        fill(row, begin, rows);
        fill(row + end, bytes - end, rows);
        return;
    case IMG_BORDER_WRAP:
        period = width;
        break;
    case IMG_BORDER_REFLECT:
        if (width > pixel) {
            period = 2 * (width - pixel);
            mirror_pixels(row, &begin, &end, bytes, pixel);
        }
        break;
    case IMG_BORDER_REPLICATE:
        break;
    }
    repeat_after(row, end, bytes, period);
    repeat_before(row, begin, period);
}

static void do_rows(void *context, int64_t first, int64_t last)
{
    const Rows *rows = context;
    const ImgView *src = rows->src, *dst = rows->dst;
    const ImgCanvas *canvas = rows->canvas;
    const size_t bytes = (size_t)dst->width * rows->pixel;
    const size_t before = canvas->x > 0 ? (size_t)canvas->x * rows->pixel : 0;
    const size_t cut = canvas->x < 0 ? (size_t)-canvas->x : 0;
    const size_t inside = ((size_t)src->width - cut) * rows->pixel;
    const size_t count = inside < bytes - before ? inside : bytes - before;
    const size_t skipped = cut * img_format_pixel_size(src->format);
    for (int64_t y = first; y < last; y++) {
        uint8_t *row = dst->data + (size_t)y * dst->stride;
        const int32_t from = img_border_place(y - canvas->y, src->height, canvas->border);
        if (from < 0) {
            fill(row, bytes, rows);
            continue;
        }
        copy_row(rows, src->data + (size_t)from * src->stride + skipped, row + before,
                 count / rows->pixel);
        extend(row, before, before + count, bytes, y > first ? row - dst->stride : NULL, rows);
    }
}

ImgStatus img_canvas_cpu(const ImgCall *call, const ImgCanvas *canvas)
{
    Rows rows = {&call->src, &call->dst, canvas, img_format_pixel_size(call->dst.format)};
    const size_t bytes = (size_t)call->dst.width * rows.pixel * (size_t)call->dst.height;
    const int threads = 2 * bytes < IMG_BYTES_WORTH_THREADS ? 1 : call->threads;
    img_parallel_for(call->team, threads, call->dst.height, do_rows, &rows);
    return IMG_OK;
}
