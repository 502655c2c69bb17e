/* Implements a 3 x 3 filter on the CPU. A file that includes this file defines three macros first.
 * STENCIL is the filter's name, with which the names of the functions begin: STENCIL_reference,
 * STENCIL_portable, STENCIL_avx2 and STENCIL_avx512. STENCIL_CONSTANTS is the type of the filter's
 * constants, which begins with an ImgStencil. STENCIL_VALUE is the function of the filter:
 *
 *     uint32_t VALUE(const CONSTANTS *, const int32_t samples[9], uint32_t maximum)
 *
 * Most pixels of a row are computed from three whole rows, in a loop that compilers vectorise. The
 * first and the last pixel are computed separately, because some neighbours are beyond the edges.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/core/sample.h"
#include "kernels/window/stencil.h"

#define STENCIL_JOIN_(a, b) a##b
#define STENCIL_JOIN(a, b)  STENCIL_JOIN_(a, b)
#define STENCIL_INLINE      static inline __attribute__((always_inline))

typedef struct StencilWork {
    const ImgCall *call;
    const STENCIL_CONSTANTS *own;
    const ImgStencil *stencil;
    void (*row)(const struct StencilWork *work, const void *const rows[3], void *to);
    bool failed;
} StencilWork;

/* --- Reference -------------------------------------------------------------------------------- */

/* Returns the value of channel `c` of the pixel at (x, y), as the filter reads it. The pixel may be
 * beyond the edges; the border then defines its value. */
static int32_t stencil_sample(const StencilWork *work, int64_t x, int64_t y, int32_t c)
{
    const ImgView *src = &work->call->src;
    const ImgStencil *stencil = work->stencil;
    const int32_t column = img_border_place(x, src->width, stencil->border);
    const int32_t line = img_border_place(y, src->height, stencil->border);
    if (column < 0 || line < 0)
        return stencil->background[c];
    const uint8_t *row = src->data + (size_t)line * src->stride;
    const size_t pixel = (size_t)column * (size_t)stencil->channels;
    const uint32_t alpha = img_sample(row, pixel + (size_t)stencil->channels - 1, src->format.bits);
    return (int32_t)img_stencil_load(stencil, img_sample(row, pixel + (size_t)c, src->format.bits),
                                     alpha);
}

static uint32_t stencil_at(const StencilWork *work, int32_t x, int32_t y, int32_t c)
{
    int32_t samples[IMG_STENCIL_SAMPLES];
    for (int32_t i = 0; i < IMG_STENCIL_SAMPLES; i++)
        samples[i] = stencil_sample(work, (int64_t)x + i % 3 - 1, (int64_t)y + i / 3 - 1, c);
    return STENCIL_VALUE(work->own, samples, img_stencil_maximum(work->stencil));
}

/* Returns the alpha of the pixel at (x, y), scaled to 8 bits if samples have fewer bits. */
static uint32_t stencil_alpha(const StencilWork *work, int32_t x, int32_t y)
{
    const ImgView *src = &work->call->src;
    return img_sample(src->data + (size_t)y * src->stride,
                      ((size_t)x + 1) * (size_t)work->stencil->channels - 1, src->format.bits) *
           work->stencil->scale;
}

static void stencil_set(const StencilWork *work, int32_t x, int32_t y, int32_t c, uint32_t value)
{
    const ImgView *dst = &work->call->dst;
    img_sample_set(dst->data + (size_t)y * dst->stride,
                   (size_t)x * (size_t)work->stencil->channels + (size_t)c, dst->format.bits,
                   value);
}

static void stencil_pixel(const StencilWork *work, int32_t x, int32_t y)
{
    const ImgStencil *stencil = work->stencil;
    const int32_t colors = stencil->channels - (stencil->has_alpha ? 1 : 0);
    for (int32_t c = 0; c < colors; c++)
        stencil_set(work, x, y, c, img_stencil_store(stencil, stencil_at(work, x, y, c)));
    if (stencil->has_alpha)
        stencil_set(work, x, y, colors, stencil_alpha(work, x, y));
}

static StencilWork stencil_work(const ImgCall *call)
{
    const STENCIL_CONSTANTS *own = call->constants.bytes;
    return (StencilWork){.call = call, .own = own, .stencil = (const ImgStencil *)own};
}

ImgStatus STENCIL_JOIN(STENCIL, _reference)(const ImgCall *call, ImgError *err)
{
    const StencilWork work = stencil_work(call);
    (void)err;
    for (int32_t y = 0; y < call->src.height; y++)
        for (int32_t x = 0; x < call->src.width; x++)
            stencil_pixel(&work, x, y);
    return IMG_OK;
}

/* --- Rows ------------------------------------------------------------------------------------- */

#define STENCIL_ROW(name, Sample)                                                                  \
    STENCIL_INLINE void name(const StencilWork *work, const void *const rows[3], void *to)         \
    {                                                                                              \
        const STENCIL_CONSTANTS own = *work->own;                                                  \
        const uint32_t maximum = img_stencil_maximum(work->stencil);                               \
        const ptrdiff_t step = work->stencil->channels;                                            \
        const ptrdiff_t end = (work->call->src.width - 1) * step;                                  \
        const Sample *above = rows[0], *middle = rows[1], *below = rows[2];                        \
        Sample *restrict result = to;                                                              \
        for (ptrdiff_t i = step; i < end; i++) {                                                   \
            const int32_t samples[IMG_STENCIL_SAMPLES] = {                                         \
                above[i - step],  above[i],        above[i + step], middle[i - step], middle[i],   \
                middle[i + step], below[i - step], below[i],        below[i + step]};              \
            result[i] = (Sample)STENCIL_VALUE(&own, samples, maximum);                             \
        }                                                                                          \
    }

STENCIL_ROW(stencil_bytes, uint8_t)
STENCIL_ROW(stencil_words, ImgSample16)

/* --- Bands ------------------------------------------------------------------------------------ */

static void stencil_ends(const StencilWork *work, int32_t y)
{
    stencil_pixel(work, 0, y);
    stencil_pixel(work, work->call->src.width - 1, y);
}

/* Filters the rows from `first` up to but not including `end`, directly from the source. `outside`
 * is a buffer for one row. The function fills it with the background, and reads it in place of rows
 * beyond the edges if the border is constant. */
static void stencil_plain_band(const StencilWork *work, int64_t first, int64_t end,
                               uint8_t *outside)
{
    const ImgView *src = &work->call->src, *dst = &work->call->dst;
    const size_t channels = (size_t)work->stencil->channels;
    for (size_t i = 0; i < (size_t)src->width * channels; i++)
        img_sample_set(outside, i, src->format.bits, work->stencil->background[i % channels]);
    for (int64_t y = first; y < end; y++) {
        const void *rows[3];
        for (int32_t i = 0; i < 3; i++) {
            const int32_t line = img_border_place(y + i - 1, src->height, work->stencil->border);
            rows[i] = line < 0 ? outside : src->data + (size_t)line * src->stride;
        }
        work->row(work, rows, dst->data + (size_t)y * dst->stride);
        stencil_ends(work, (int32_t)y);
    }
}

/* Filters the rows from `first` up to but not including `end`, after conversion. `memory` holds
 * three converted source rows and a row of results. Each source row is converted once, and replaces
 * a row that is no longer needed. */
static void stencil_loaded_band(const StencilWork *work, int64_t first, int64_t end,
                                uint16_t *memory)
{
    const ImgView *src = &work->call->src;
    const size_t samples = (size_t)src->width * (size_t)work->stencil->channels;
    uint16_t *ring[3] = {memory, memory + samples, memory + 2 * samples};
    uint16_t *result = memory + 3 * samples;
    img_stencil_load_row(work->stencil, src, first - 1, ring[0]);
    img_stencil_load_row(work->stencil, src, first, ring[1]);
    for (int64_t y = first; y < end; y++) {
        img_stencil_load_row(work->stencil, src, y + 1, ring[2]);
        work->row(work, (const void *const[]){ring[0], ring[1], ring[2]}, result);
        img_stencil_store_row(work->stencil, src, (int32_t)y, result, &work->call->dst);
        stencil_ends(work, (int32_t)y);
        uint16_t *free_row = ring[0];
        ring[0] = ring[1];
        ring[1] = ring[2];
        ring[2] = free_row;
    }
}

static void stencil_band(void *context, int64_t first, int64_t end)
{
    StencilWork *work = context;
    const size_t samples = (size_t)work->call->src.width * (size_t)work->stencil->channels;
    uint16_t *memory = malloc(4 * samples * sizeof *memory);
    if (memory == NULL)
        work->failed = true; /* several threads may set this: all of them set the same value */
    else if (img_stencil_is_plain(work->stencil))
        stencil_plain_band(work, first, end, (uint8_t *)memory);
    else
        stencil_loaded_band(work, first, end, memory);
    free(memory);
}

static ImgStatus stencil_run(StencilWork *work, ImgError *err)
{
    const ImgCall *call = work->call;
    const uint64_t pixels = (uint64_t)call->src.width * (uint64_t)call->src.height;
    const bool small = pixels * img_format_pixel_size(call->src.format) < IMG_BYTES_WORTH_THREADS;
    img_parallel_for(call->team, small ? 1 : call->threads, call->src.height, stencil_band, work);
    if (work->failed)
        return img_fail(err, IMG_E_MEMORY, "no memory for rows of %d pixels", call->src.width);
    return IMG_OK;
}

/* --- For each processor ----------------------------------------------------------------------- */

#define STENCIL_FOR(suffix, attributes)                                                            \
    attributes static void stencil_row##suffix(const StencilWork *work, const void *const rows[3], \
                                               void *to)                                           \
    {                                                                                              \
        if (work->stencil->bits == 8 && img_stencil_is_plain(work->stencil))                       \
            stencil_bytes(work, rows, to);                                                         \
        else                                                                                       \
            stencil_words(work, rows, to);                                                         \
    }                                                                                              \
    ImgStatus STENCIL_JOIN(STENCIL, suffix)(const ImgCall *call, ImgError *err)                    \
    {                                                                                              \
        StencilWork work = stencil_work(call);                                                     \
        work.row = stencil_row##suffix;                                                            \
        return stencil_run(&work, err);                                                            \
    }

STENCIL_FOR(_portable, )
#ifdef IMGTOOL_X86
STENCIL_FOR(_avx2, __attribute__((target("avx2"))))
STENCIL_FOR(_avx512, __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq"))))
#endif
