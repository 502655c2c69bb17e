/* Means of squares on the CPU: threads take bands of rows. A row of sums of columns goes down,
 * taking in a row and letting one go; along it a sum of such sums takes in a column and lets one
 * go. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/blur/box.h"
#include "kernels/core/sample.h"

#define INLINE static inline __attribute__((always_inline))

typedef struct Work Work;

/* Loops that are compiled for several processors. */
typedef struct Loops {
    void (*change_bytes)(uint32_t *sums, const uint8_t *in, const uint8_t *out, size_t count);
    void (*change_words)(uint32_t *sums, const ImgSample16 *in, const ImgSample16 *out,
                         size_t count);
    void (*means_to_bytes)(const ImgBox *box, const uint32_t *sums, uint8_t *to, size_t count);
    void (*means_to_words)(const ImgBox *box, const uint32_t *sums, ImgSample16 *to, size_t count);
} Loops;

struct Work {
    const ImgCall *call;
    const ImgBox *box;
    const Loops *loops;
    size_t samples; /* of a row */
    bool is_plain;  /* samples are added up as they are */
    atomic_bool failed;
};

/* --- Loops ------------------------------------------------------------------------------------ */

/* One row comes in and one goes. */
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
    static const Loops loops##suffix = {change_bytes##suffix, change_words##suffix,                \
                                        means_to_bytes##suffix, means_to_words##suffix};

LOOPS(_portable, )
#ifdef IMGTOOL_X86
LOOPS(_avx2, __attribute__((target("avx2"))))
LOOPS(_avx512, __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq"))))
#endif

/* --- Columns ---------------------------------------------------------------------------------- */

/* A row as it is added up: of the source itself, or made in `memory`. */
static const void *row_at(const Work *work, int64_t y, uint16_t *memory)
{
    const ImgView *src = &work->call->src;
    const ImgBox *box = work->box;
    const size_t channels = (size_t)box->lift.channels;
    const int32_t line = img_border_place(y, src->height, box->border);
    const uint8_t *row = src->data + (size_t)(line < 0 ? 0 : line) * src->stride;
    if (work->is_plain)
        return row;
    for (size_t i = 0; i < work->samples; i += channels) {
        uint32_t sample[4] = {0, 0, 0, 0}, value[4];
        for (size_t c = 0; c < channels; c++)
            sample[c] = img_sample(row, i + c, src->format.bits);
        img_box_load(box, sample, value);
        for (size_t c = 0; c < channels; c++)
            memory[i + c] = line < 0 ? box->background[c] : (uint16_t)value[c];
    }
    return memory;
}

static void change_row(const Work *work, const void *in, const void *out, uint32_t *sums)
{
    if (work->is_plain && work->box->lift.bits == 8)
        work->loops->change_bytes(sums, in, out, work->samples);
    else
        work->loops->change_words(sums, in, out, work->samples);
}

/* The sums of columns for row `y`; `rows` has room for three, of which the third stays black. */
static void start_columns(const Work *work, int64_t y, uint16_t *rows, uint32_t *sums)
{
    const uint16_t *black = rows + 2 * work->samples;
    memset(sums, 0, work->samples * sizeof *sums);
    for (int64_t v = y - work->box->radius; v <= y + work->box->radius; v++)
        change_row(work, row_at(work, v, rows), black, sums);
}

static void next_columns(const Work *work, int64_t y, uint16_t *rows, uint32_t *sums)
{
    const int64_t radius = work->box->radius;
    change_row(work, row_at(work, y + radius, rows),
               row_at(work, y - radius - 1, rows + work->samples), sums);
}

/* What lies on both sides of a row of sums. */
static void pad_columns(const Work *work, uint32_t *sums)
{
    const ImgBox *box = work->box;
    const int64_t channels = box->lift.channels, width = work->call->src.width;
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

/* Sums of squares of a row, of which `columns` are the sums of columns; with channels that a
 * compiler knows, so that it keeps as many sums in registers. */
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

/* Means as samples, where they are not what is stored. */
static void store_means(const Work *work, const uint64_t *wide, const uint32_t *narrow, uint8_t *to)
{
    const ImgBox *box = work->box;
    const size_t channels = (size_t)box->lift.channels;
    for (size_t i = 0; i < work->samples; i += channels) {
        uint32_t mean[4] = {0, 0, 0, 0}, sample[4] = {0, 0, 0, 0};
        for (size_t c = 0; c < channels; c++)
            mean[c] = img_box_mean(box, wide != NULL ? wide[i + c] : narrow[i + c]);
        img_box_store(box, mean, sample);
        for (size_t c = 0; c < channels; c++)
            img_sample_set(to, i + c, box->lift.bits, sample[c]);
    }
}

static void finish_row(const Work *work, int32_t y, const uint32_t *columns, uint64_t *memory)
{
    const ImgBox *box = work->box;
    const ImgView *dst = &work->call->dst;
    uint8_t *to = dst->data + (size_t)y * dst->stride;
    uint32_t *narrow = (uint32_t *)memory;
    if (!box->is_narrow) {
        along_uint64_t(columns, box->lift.channels, box->radius, dst->width, memory);
        store_means(work, memory, NULL, to);
        return;
    }
    along_uint32_t(columns, box->lift.channels, box->radius, dst->width, narrow);
    if (box->lift.has_alpha)
        store_means(work, NULL, narrow, to);
    else if (box->lift.bits == 8)
        work->loops->means_to_bytes(box, narrow, to, work->samples);
    else
        work->loops->means_to_words(box, narrow, (ImgSample16 *)(void *)to, work->samples);
}

/* --- Bands ------------------------------------------------------------------------------------ */

static void band(void *context, int64_t first, int64_t end)
{
    Work *work = context;
    const size_t samples = work->samples;
    const size_t pad = ((size_t)work->box->radius + 1) * (size_t)work->box->lift.channels;
    uint16_t *rows = calloc(3 * samples, sizeof *rows);
    uint32_t *sums = malloc((samples + 2 * pad) * sizeof *sums);
    uint64_t *along = calloc(samples, sizeof *along);
    const bool has_memory = rows != NULL && sums != NULL && along != NULL;
    if (!has_memory)
        atomic_store(&work->failed, true);
    for (int64_t y = first; has_memory && y < end; y++) {
        if (y == first)
            start_columns(work, y, rows, sums + pad);
        else
            next_columns(work, y, rows, sums + pad);
        pad_columns(work, sums + pad);
        finish_row(work, (int32_t)y, sums + pad, along);
    }
    free(rows);
    free(sums);
    free(along);
}

static ImgStatus run(const ImgCall *call, const Loops *loops, ImgError *err)
{
    const ImgBox *box = call->constants.bytes;
    const ImgView *src = &call->src;
    Work work = {.call = call,
                 .box = box,
                 .loops = loops,
                 .samples = (size_t)src->width * (size_t)box->lift.channels,
                 .is_plain = !box->lift.has_alpha && box->lift.scale == 1 &&
                             box->border != IMG_BORDER_CONSTANT};
    const uint64_t bytes = (uint64_t)src->height * src->width * img_format_pixel_size(src->format);
    atomic_init(&work.failed, false);
    img_parallel_for(call->team, bytes < IMG_BYTES_WORTH_THREADS ? 1 : call->threads, src->height,
                     band, &work);
    if (atomic_load(&work.failed))
        return img_fail(err, IMG_E_MEMORY, "no memory for rows of %d pixels", src->width);
    return IMG_OK;
}

ImgStatus img_box_cpu(const ImgCall *call, ImgError *err)
{
    return run(call, &loops_portable, err);
}

#ifdef IMGTOOL_X86
ImgStatus img_box_cpu_avx2(const ImgCall *call, ImgError *err)
{
    return run(call, &loops_avx2, err);
}

ImgStatus img_box_cpu_avx512(const ImgCall *call, ImgError *err)
{
    return run(call, &loops_avx512, err);
}
#endif
