/* boxblur on the CPU. Each thread processes a band of rows. It keeps one sum per column, over the
 * height of the square. To move to the next row, it adds one row of the picture to these column
 * sums and subtracts another. Along each row, the sum of a square moves right in the same way: one
 * column sum is added and one subtracted. */
#include "kernels/blur/box.h"
#include "kernels/core/fixed/quotient.h"
#include "kernels/core/sample.h"
#include "kernels/window/window_rows.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* --- Loops over a row, for each instruction set ----------------------------------------------- */

#define INLINE static inline __attribute__((always_inline))

typedef struct Loops {
    void (*change_bytes)(uint32_t *sums, const uint8_t *in, const uint8_t *out, size_t count);
    void (*change_words)(uint32_t *sums, const ImgSample16 *in, const ImgSample16 *out,
                         size_t count);
    void (*means_to_bytes)(const ImgBox *box, const uint32_t *sums, uint8_t *to, size_t count);
    void (*means_to_words)(const ImgBox *box, const uint32_t *sums, ImgSample16 *to, size_t count);
    void (*wide_means)(const ImgBox *box, const uint64_t *sums, ImgSample16 *to, size_t count);
    const ImgWindowRows *rows;
} Loops;

/* Defines a function that adds the samples `in` of one row to the column sums and subtracts the
 * samples `out` of another row. */
#define CHANGE(name, Sample)                                                                       \
    INLINE void name(uint32_t *sums, const Sample *in, const Sample *out, size_t count)            \
    {                                                                                              \
        for (size_t i = 0; i < count; i++)                                                         \
            sums[i] += (uint32_t)in[i] - (uint32_t)out[i];                                         \
    }
#define MEANS(name, Sample)                                                                        \
    INLINE void name(const ImgBox *box, const uint32_t *sums, Sample *to, size_t count)            \
    {                                                                                              \
        const uint64_t multiplier = box->multiplier;                                               \
        const uint32_t half = box->area / 2;                                                       \
        const int shift = box->shift;                                                              \
        for (size_t i = 0; i < count; i++)                                                         \
            to[i] = (Sample)((uint64_t)(sums[i] + half) * multiplier >> shift);                    \
    }

/* Computes the means of `count` squares from their sums, which may have up to 53 bits. */
INLINE void wide_means(const ImgBox *box, const uint64_t *sums, ImgSample16 *to, size_t count)
{
    const int64_t area = box->area;
    for (size_t i = 0; i < count; i++)
        to[i] = (uint16_t)img_quotient_53((int64_t)sums[i] + area / 2, area, 65535);
}

CHANGE(change_bytes, uint8_t)
CHANGE(change_words, ImgSample16)
MEANS(means_to_bytes, uint8_t)
MEANS(means_to_words, ImgSample16)

#define LOOPS(suffix, attributes)                                                                  \
    attributes static void change_bytes##suffix(uint32_t *sums, const uint8_t *in,                 \
                                                const uint8_t *out, size_t count)                  \
    {                                                                                              \
        change_bytes(sums, in, out, count);                                                        \
    }                                                                                              \
    attributes static void change_words##suffix(uint32_t *sums, const ImgSample16 *in,             \
                                                const ImgSample16 *out, size_t count)              \
    {                                                                                              \
        change_words(sums, in, out, count);                                                        \
    }                                                                                              \
    attributes static void means_to_bytes##suffix(const ImgBox *box, const uint32_t *sums,         \
                                                  uint8_t *to, size_t count)                       \
    {                                                                                              \
        means_to_bytes(box, sums, to, count);                                                      \
    }                                                                                              \
    attributes static void means_to_words##suffix(const ImgBox *box, const uint32_t *sums,         \
                                                  ImgSample16 *to, size_t count)                   \
    {                                                                                              \
        means_to_words(box, sums, to, count);                                                      \
    }                                                                                              \
    attributes static void wide_means##suffix(const ImgBox *box, const uint64_t *sums,             \
                                              ImgSample16 *to, size_t count)                       \
    {                                                                                              \
        wide_means(box, sums, to, count);                                                          \
    }                                                                                              \
    static const Loops loops##suffix = {change_bytes##suffix,   change_words##suffix,              \
                                        means_to_bytes##suffix, means_to_words##suffix,            \
                                        wide_means##suffix,     &img_window_rows##suffix};

LOOPS(_portable, )
#ifdef IMGTOOL_X86
LOOPS(_avx2, __attribute__((target("avx2"))))
LOOPS(_avx512, __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq"))))
#endif

/* --- The blur --------------------------------------------------------------------------------- */

typedef struct BoxBlur {
    const ImgCall *call;
    const ImgBox *box;
    const Loops *loops;
    size_t samples; /* samples per row */
    /* true: rows of the source are added as they are; false: row_at first converts them */
    bool is_plain;
    atomic_bool failed;
} BoxBlur;

/* --- Columns ---------------------------------------------------------------------------------- */

/* Converts `count` samples in place from signed to unsigned, or back: flips their highest bits. */
static void change_signs(uint16_t *samples, size_t count)
{
    for (size_t i = 0; i < count; i++)
        samples[i] ^= IMG_LIFT_ZERO;
}

/* Converts a row with alpha to lifted samples (window/lift.h) and makes them unsigned, like
 * img_box_load. */
static void lift_row(const BoxBlur *blur, const uint8_t *row, uint16_t *memory)
{
    blur->loops->rows->lift(&blur->box->lift, row, (int16_t *)memory, blur->call->src.width);
    change_signs(memory, blur->samples);
}

/* Returns row y of the picture in the form that is added to column sums: the row of the source
 * itself, or a converted copy in `memory`. */
static const void *row_at(const BoxBlur *blur, int64_t y, uint16_t *memory)
{
    const ImgView *src = &blur->call->src;
    const ImgBox *box = blur->box;
    const size_t channels = (size_t)box->lift.channels;
    const int32_t line = img_border_place(y, src->height, box->border);
    const uint8_t *row = src->data + (size_t)(line < 0 ? 0 : line) * src->stride;
    if (blur->is_plain)
        return row;
    if (line < 0)
        for (size_t i = 0; i < blur->samples; i++)
            memory[i] = box->background[i % channels];
    else if (box->lift.has_alpha)
        lift_row(blur, row, memory);
    else
        for (size_t i = 0; i < blur->samples; i++)
            memory[i] = (uint16_t)(img_sample(row, i, src->format.bits) * box->lift.scale);
    return memory;
}

static void change_row(const BoxBlur *blur, const void *in, const void *out, uint32_t *sums)
{
    if (blur->is_plain && blur->box->lift.bits == 8)
        blur->loops->change_bytes(sums, in, out, blur->samples);
    else
        blur->loops->change_words(sums, in, out, blur->samples);
}

/* Computes the column sums for row `y` of the result. `rows` is a buffer of three rows of samples:
 * two for converted rows of the picture, and one of zeros, which the caller sets. */
static void start_columns(const BoxBlur *blur, int64_t y, uint16_t *rows, uint32_t *sums)
{
    const uint16_t *black = rows + 2 * blur->samples;
    memset(sums, 0, blur->samples * sizeof *sums);
    for (int64_t v = y - blur->box->radius; v <= y + blur->box->radius; v++)
        change_row(blur, row_at(blur, v, rows), black, sums);
}

static void next_columns(const BoxBlur *blur, int64_t y, uint16_t *rows, uint32_t *sums)
{
    const int64_t radius = blur->box->radius;
    change_row(blur, row_at(blur, y + radius, rows),
               row_at(blur, y - radius - 1, rows + blur->samples), sums);
}

/* Extends a row of column sums by radius + 1 columns on each side of the picture, as the border
 * mode defines. The square around the first pixel needs `radius` of them; one more is subtracted
 * when the sum of a square moves to this pixel. */
static void pad_columns(const BoxBlur *blur, uint32_t *sums)
{
    const ImgBox *box = blur->box;
    const int64_t channels = box->lift.channels, width = blur->call->src.width;
    for (int64_t i = 1; i <= 2 * (int64_t)box->radius + 1; i++) {
        const int64_t x = i <= box->radius + 1 ? -i : width + i - box->radius - 2;
        const int32_t place = img_border_place(x, (int32_t)width, box->border);
        for (int64_t c = 0; c < channels; c++)
            sums[x * channels + c] = place >= 0
                                         ? sums[place * channels + c]
                                         : box->background[c] * (2 * (uint32_t)box->radius + 1);
    }
}

/* --- Rows ------------------------------------------------------------------------------------- */

/* Defines a function that computes the sum of the square around each pixel of a row, from
 * `columns`, the column sums. The number of channels is a constant, so that the compiler keeps one
 * sum per channel in registers. */
#define ALONG(channels, Sum)                                                                       \
    static void along_##channels##_##Sum(const uint32_t *columns, int64_t radius, int64_t width,   \
                                         Sum *to)                                                  \
    {                                                                                              \
        Sum sum[channels] = {0};                                                                   \
        for (int64_t i = -(radius + 1) * (channels); i < radius * (channels); i += (channels))     \
            for (int c = 0; c < (channels); c++)                                                   \
                sum[c] += columns[i + c];                                                          \
        for (int64_t x = 0; x < width; x++)                                                        \
            for (int c = 0; c < (channels); c++) {                                                 \
                sum[c] += columns[(x + radius) * (channels) + c];                                  \
                sum[c] -= columns[(x - radius - 1) * (channels) + c];                              \
                to[x * (channels) + c] = sum[c];                                                   \
            }                                                                                      \
    }

#define ALONG_ALL(Sum)                                                                             \
    ALONG(1, Sum)                                                                                  \
    ALONG(2, Sum)                                                                                  \
    ALONG(3, Sum)                                                                                  \
    ALONG(4, Sum)                                                                                  \
    static void along_##Sum(const uint32_t *columns, int32_t channels, int64_t radius,             \
                            int64_t width, Sum *to)                                                \
    {                                                                                              \
        if (channels == 1)                                                                         \
            along_1_##Sum(columns, radius, width, to);                                             \
        else if (channels == 2)                                                                    \
            along_2_##Sum(columns, radius, width, to);                                             \
        else if (channels == 3)                                                                    \
            along_3_##Sum(columns, radius, width, to);                                             \
        else                                                                                       \
            along_4_##Sum(columns, radius, width, to);                                             \
    }

ALONG_ALL(uint32_t)
ALONG_ALL(uint64_t)

/* Converts a row of means to samples of the picture, as img_box_store does for one pixel, and
 * stores them at `to`. */
static void store_means(const BoxBlur *blur, uint16_t *means, uint8_t *to)
{
    const ImgBox *box = blur->box;
    if (box->lift.has_alpha) {
        change_signs(means, blur->samples);
        blur->loops->rows->lower(&box->lift, (const int16_t *)means, to, blur->call->dst.width);
        return;
    }
    for (size_t i = 0; i < blur->samples; i++)
        img_sample_set(to, i, box->lift.bits, means[i]);
}

/* Computes row `y` of the result from its column sums. `memory` is a buffer for a row of sums, and
 * `means` for a row of samples. */
static void finish_row(const BoxBlur *blur, int32_t y, const uint32_t *columns, uint64_t *memory,
                       uint16_t *means)
{
    const ImgBox *box = blur->box;
    const ImgView *dst = &blur->call->dst;
    uint8_t *to = dst->data + (size_t)y * dst->stride;
    uint32_t *narrow = (uint32_t *)memory;
    if (!box->is_narrow) {
        along_uint64_t(columns, box->lift.channels, box->radius, dst->width, memory);
        blur->loops->wide_means(box, memory, means, blur->samples);
        store_means(blur, means, to);
        return;
    }
    along_uint32_t(columns, box->lift.channels, box->radius, dst->width, narrow);
    if (box->lift.has_alpha) {
        blur->loops->means_to_words(box, narrow, means, blur->samples);
        store_means(blur, means, to);
    } else if (box->lift.bits == 8) {
        blur->loops->means_to_bytes(box, narrow, to, blur->samples);
    } else {
        blur->loops->means_to_words(box, narrow, (ImgSample16 *)(void *)to, blur->samples);
    }
}

/* --- Bands ------------------------------------------------------------------------------------ */

/* Returns the number of bytes that all threads together allocate in the function `band`. */
uint64_t img_box_scratch(int32_t radius, ImgShape src, int threads)
{
    const uint64_t channels = (uint64_t)img_format_channels(src.format);
    const uint64_t samples = (uint64_t)src.width * channels;
    const uint64_t pads = 2 * ((uint64_t)radius + 1) * channels;
    const uint64_t bytes = 3 * samples * sizeof(uint16_t) + (samples + pads) * sizeof(uint32_t) +
                           samples * sizeof(uint64_t);
    return bytes * (uint64_t)img_op_band_threads(src, src.height, threads);
}

static void band(void *context, int64_t first, int64_t end)
{
    BoxBlur *blur = context;
    const size_t samples = blur->samples;
    const size_t pad = ((size_t)blur->box->radius + 1) * (size_t)blur->box->lift.channels;
    uint16_t *rows = calloc(3 * samples, sizeof *rows);
    uint32_t *sums = malloc((samples + 2 * pad) * sizeof *sums);
    uint64_t *along = calloc(samples, sizeof *along);
    const bool has_memory = rows != NULL && sums != NULL && along != NULL;
    if (!has_memory)
        atomic_store(&blur->failed, true);
    for (int64_t y = first; has_memory && y < end; y++) {
        if (y == first)
            start_columns(blur, y, rows, sums + pad);
        else
            next_columns(blur, y, rows, sums + pad);
        pad_columns(blur, sums + pad);
        finish_row(blur, (int32_t)y, sums + pad, along, rows);
    }
    free(rows);
    free(sums);
    free(along);
}

static ImgStatus run(const ImgCall *call, const Loops *loops, ImgError *err)
{
    const ImgBox *box = call->constants.bytes;
    const ImgView *src = &call->src;
    BoxBlur blur = {.call = call,
                    .box = box,
                    .loops = loops,
                    .samples = (size_t)src->width * (size_t)box->lift.channels,
                    .is_plain = !box->lift.has_alpha && box->lift.scale == 1 &&
                                box->border != IMG_BORDER_CONSTANT};
    const uint64_t bytes = (uint64_t)src->height * src->width * img_format_pixel_size(src->format);
    atomic_init(&blur.failed, false);
    img_parallel_for(call->team, bytes < IMG_BYTES_WORTH_THREADS ? 1 : call->threads, src->height,
                     band, &blur);
    if (atomic_load(&blur.failed))
        return img_fail(err, IMG_E_MEMORY, "no memory for rows of %d pixels", src->width);
    return IMG_OK;
}

IMG_DEFINE_CPU_RUNS(img_box_cpu, run, &loops)
