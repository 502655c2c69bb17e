/* quantize on the CPU. Without Floyd-Steinberg dithering, threads process ranges of rows. With it,
 * a row needs the errors of the row above up to one pixel to the right. So threads take rows in
 * order, and each stays behind the thread of the row above. */
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/quantize/quantize.h"
#include "kernels/quantize/quantize_rows.h"

enum {
    /* Pictures with fewer pixels search all entries: finding candidates takes longer. */
    PIXELS_WORTH_CANDIDATES = 1 << 14,
    /* A thread tells the next row how far it is after as many pixels. */
    CHUNK = 256,
    /* Rows of at least as many pixels per thread are worth a wavefront. */
    WIDTH_PER_THREAD = 4 * CHUNK,
    THREADS_MOST = 16,
};

const ImgQuantizeRows *img_quantize_rows(void)
{
#ifdef IMGTOOL_X86
    if (img_cpu_level() == IMG_CPU_AVX512)
        return &img_quantize_rows_avx512;
    if (img_cpu_level() == IMG_CPU_AVX2)
        return &img_quantize_rows_avx2;
#endif
    return &img_quantize_rows_portable;
}

/* --- What both ways share --------------------------------------------------------------------- */

typedef struct Mapping {
    const ImgCall *call;
    const ImgQuantizeConstants *own;
    const ImgQuantizeRows *rows;
    int32_t width, height;
    bool has_lists;
    atomic_bool failed; /* a thread could not allocate its memory */
    /* For dithering: */
    int threads;
    atomic_int_fast32_t next; /* the first row that no thread has taken */
    /* Errors of the last `threads` + 1 rows, each with a pixel before and after. */
    ImgColorErrors *errors;
    /* For each of these rows: the number of its pixels that are done, plus (width + 1) times its
     * number. */
    atomic_int_fast64_t *done;
} Mapping;

/* Memory of a thread: pixels of three rows, and strengths and indices of one. */
typedef struct Lines {
    uint32_t *pixels[3];
    uint8_t *strengths, *indices;
    ImgCandidateLists lists;
} Lines;

static uint64_t line_bytes(uint64_t width)
{
    return width * (3 * sizeof(uint32_t) + 2);
}

static bool needs_lists(ImgShape src)
{
    return (int64_t)src.width * src.height >= PIXELS_WORTH_CANDIDATES;
}

static int wave_threads(int32_t width, int32_t height, int threads)
{
    const int32_t useful = width / WIDTH_PER_THREAD;
    int most = threads < THREADS_MOST ? threads : THREADS_MOST;
    most = most < height ? most : (int)height;
    return useful < 2 ? 1 : useful < most ? (int)useful : most;
}

static bool dithers(const ImgQuantizeParams *own)
{
    return own->dither == IMG_DITHER_FLOYD && own->is_exact == 0;
}

static int threads_for(ImgShape src, const ImgQuantizeParams *own, int threads)
{
    return dithers(own) ? wave_threads(src.width, src.height, threads)
                        : img_op_band_threads(src, src.height, threads);
}

uint64_t img_quantize_scratch(ImgShape src, const void *params, int threads)
{
    const int used = threads_for(src, params, threads);
    const uint64_t width = (uint64_t)src.width;
    const uint64_t errors =
        dithers(params) ? ((uint64_t)used + 1) * (width + 2) * sizeof(ImgColorErrors) : 0;
    return errors +
           (uint64_t)used * (line_bytes(width) + (needs_lists(src) ? img_candidates_bytes() : 0));
}

static bool alloc_lines(Mapping *mapping, Lines *lines)
{
    const size_t width = (size_t)mapping->width;
    img_candidates_begin(&mapping->own->entries, &lines->lists);
    uint32_t *pixels = malloc(line_bytes(width));
    if (pixels == NULL || (mapping->has_lists && !img_candidates_alloc(&lines->lists))) {
        free(pixels);
        atomic_store(&mapping->failed, true);
        return false;
    }
    for (int i = 0; i < 3; i++)
        lines->pixels[i] = pixels + (size_t)i * width;
    lines->strengths = (uint8_t *)(pixels + 3 * width);
    lines->indices = lines->strengths + width;
    return true;
}

/* `first` is the address that lines->pixels[0] had at first. */
static void free_lines(Lines *lines, uint32_t *first)
{
    free(first);
    img_candidates_free(&lines->lists);
}

static void load_row(const Mapping *mapping, int32_t y, uint32_t *pixels)
{
    const ImgView *src = &mapping->call->src;
    const int32_t within = y < 0 ? 0 : y < src->height ? y : src->height - 1;
    img_quantize_load(src->data + (size_t)within * src->stride, src->format, src->width, pixels);
}

static void store_row(const Mapping *mapping, int32_t y, const uint8_t *indices)
{
    const ImgView *dst = &mapping->call->dst;
    img_quantize_store(mapping->own, indices, dst->width, dst->format,
                       dst->data + (size_t)y * dst->stride);
}

/* --- Without Floyd-Steinberg dithering -------------------------------------------------------- */

static void map_rows(void *context, int64_t first, int64_t end)
{
    Mapping *mapping = context;
    const bool is_ordered = mapping->own->dither == IMG_DITHER_ORDERED;
    Lines lines;
    if (!alloc_lines(mapping, &lines))
        return;
    for (int64_t y = first; y < end; y++) {
        load_row(mapping, (int32_t)y, lines.pixels[0]);
        mapping->rows->map(&lines.lists, lines.pixels[0], mapping->width, lines.indices);
        if (is_ordered)
            mapping->rows->order(&lines.lists, mapping->own, lines.pixels[0], (int32_t)y,
                                 mapping->width, lines.indices);
        store_row(mapping, (int32_t)y, lines.indices);
    }
    free_lines(&lines, lines.pixels[0]);
}

/* --- Floyd-Steinberg -------------------------------------------------------------------------- */

static ImgColorErrors *errors_of(const Mapping *mapping, int64_t y)
{
    const int64_t slot = (y + 1) % (mapping->threads + 1);
    return mapping->errors + slot * (mapping->width + 2) + 1;
}

static atomic_int_fast64_t *done_of(const Mapping *mapping, int64_t y)
{
    return &mapping->done[(y + 1) % (mapping->threads + 1)];
}

static int_fast64_t mark(const Mapping *mapping, int64_t y, int32_t pixels)
{
    return y * (mapping->width + 1) + pixels;
}

/* Waits until the row above `y` has at least `pixels` pixels. */
static void await_above(const Mapping *mapping, int32_t y, int32_t pixels)
{
    const int_fast64_t wanted = mark(mapping, (int64_t)y - 1, pixels);
    while (atomic_load_explicit(done_of(mapping, (int64_t)y - 1), memory_order_acquire) < wanted)
        sched_yield();
}

static void dither_row(Mapping *mapping, int32_t y, Lines *lines)
{
    const ImgDitherRow row = {.pixels = lines->pixels[1],
                              .strengths = lines->strengths,
                              .above = errors_of(mapping, (int64_t)y - 1),
                              .errors = errors_of(mapping, y),
                              .indices = lines->indices};
    for (int32_t x = 0, end; x < mapping->width; x = end) {
        end = mapping->width - x < CHUNK ? mapping->width : x + CHUNK;
        if (y > 0)
            await_above(mapping, y, end < mapping->width ? end + 1 : end);
        mapping->rows->dither(&lines->lists, &row, x, end);
        atomic_store_explicit(done_of(mapping, y), mark(mapping, y, end), memory_order_release);
    }
}

/* Takes rows in order until all are taken. A thread that lacks memory ends all. */
static void dither_rows(void *context, int part)
{
    Mapping *mapping = context;
    int32_t loaded = -2, y;
    Lines lines;
    (void)part;
    if (!alloc_lines(mapping, &lines))
        return;
    uint32_t *const first = lines.pixels[0];
    while ((y = (int32_t)atomic_fetch_add(&mapping->next, 1)) < mapping->height) {
        for (int i = 0; i < 3; i++)
            if (loaded == y - 1 && i < 2) {
                uint32_t *const above = lines.pixels[i];
                lines.pixels[i] = lines.pixels[i + 1];
                lines.pixels[i + 1] = above;
            } else {
                load_row(mapping, y - 1 + i, lines.pixels[i]);
            }
        loaded = y;
        mapping->rows->strengths(lines.pixels[0], lines.pixels[1], lines.pixels[2], mapping->width,
                                 lines.strengths);
        dither_row(mapping, y, &lines);
        store_row(mapping, y, lines.indices);
    }
    free_lines(&lines, first);
}

static ImgStatus run_dithering(Mapping *mapping, ImgError *err)
{
    const size_t slots = (size_t)mapping->threads + 1;
    mapping->errors = calloc(slots * ((size_t)mapping->width + 2), sizeof *mapping->errors);
    mapping->done = calloc(slots, sizeof *mapping->done);
    ImgStatus status = IMG_OK;
    if (mapping->errors == NULL || mapping->done == NULL)
        status = img_fail(err, IMG_E_MEMORY, "no memory for the errors of dithering");
    else
        (void)img_parallel_run(mapping->call->team, mapping->threads, dither_rows, mapping);
    free(mapping->errors);
    free(mapping->done);
    return status;
}

ImgStatus img_quantize_cpu(const ImgCall *call, ImgError *err)
{
    const ImgShape src = img_view_shape(&call->src);
    const ImgQuantizeParams *own = call->params;
    Mapping mapping = {.call = call,
                       .own = call->constants.bytes,
                       .rows = img_quantize_rows(),
                       .width = src.width,
                       .height = src.height,
                       .has_lists = needs_lists(src),
                       .threads = threads_for(src, own, call->threads)};
    ImgStatus status = IMG_OK;
    if (dithers(own))
        status = run_dithering(&mapping, err);
    else
        img_parallel_for(call->team, mapping.threads, src.height, map_rows, &mapping);
    if (status == IMG_OK && atomic_load(&mapping.failed) && mapping.next < mapping.height)
        status = img_fail(err, IMG_E_MEMORY, "no memory for rows");
    return status;
}
