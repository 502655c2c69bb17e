/* palette on the CPU. Each thread sorts a part of the rows into cells, and all cells are merged.
 * The number of threads does not change the result. */
#include <stdlib.h>

#include "kernels/quantize/quantize.h"
#include "kernels/quantize/quantize_rows.h"

/* PIXELS_PER_THREAD is the smallest number of pixels for a thread of its own: with fewer, merging
 * its cells takes longer than counting. */
enum { PIXELS_PER_THREAD = 1 << 18, THREADS_MOST = 16, CHUNK = 1024 };

static uint64_t pixels_of(ImgShape shape)
{
    return (uint64_t)shape.width * (uint64_t)shape.height;
}

static int threads_for(ImgShape src, int threads)
{
    const uint64_t useful = pixels_of(src) / PIXELS_PER_THREAD;
    const int most = threads < THREADS_MOST ? threads : THREADS_MOST;
    return useful < 2 || src.height < most ? 1 : useful < (uint64_t)most ? (int)useful : most;
}

uint64_t img_palette_scratch(ImgShape src, const void *params, int threads)
{
    const uint64_t pixels = pixels_of(src);
    (void)params;
    return (uint64_t)threads_for(src, threads) * img_cells_bytes(pixels) +
           img_palette_work_bytes(pixels);
}

static void add_rows(const ImgView *rows, int64_t first, int64_t end, ImgCells *cells)
{
    const size_t size = img_format_pixel_size(rows->format);
    uint32_t pixels[CHUNK];
    for (int64_t y = first; y < end; y++)
        for (int32_t x = 0, count; x < rows->width; x += count) {
            count = rows->width - x < CHUNK ? rows->width - x : CHUNK;
            img_quantize_load(rows->data + (size_t)y * rows->stride + (size_t)x * size,
                              rows->format, count, pixels);
            img_cells_add(cells, pixels, (size_t)count);
        }
}

/* The cells of each thread. */
typedef struct Counting {
    const ImgView *src;
    ImgCells cells[THREADS_MOST];
    int threads;
} Counting;

static void count_part(void *context, int part)
{
    Counting *counting = context;
    const int64_t height = counting->src->height;
    add_rows(counting->src, height * part / counting->threads,
             height * (part + 1) / counting->threads, &counting->cells[part]);
}

static ImgStatus no_memory(ImgError *err)
{
    return img_fail(err, IMG_E_MEMORY, "no memory for the colours of the picture");
}

static ImgStatus count_all(const ImgCall *call, Counting *counting, ImgError *err)
{
    const ImgShape src = img_view_shape(&call->src);
    for (int i = 0; i < counting->threads; i++)
        if (!img_cells_alloc(pixels_of(src), &counting->cells[i]))
            return no_memory(err);
    (void)img_parallel_run(call->team, counting->threads, count_part, counting);
    for (int i = 1; i < counting->threads; i++)
        img_cells_merge(&counting->cells[0], &counting->cells[i]);
    return IMG_OK;
}

ImgStatus img_palette_cpu(const ImgCall *call, ImgError *err)
{
    const ImgQuantizeParams *own = call->params;
    const ImgShape src = img_view_shape(&call->src);
    uint64_t *table = img_view_counts(&call->dst, 0);
    Counting counting = {.src = &call->src, .threads = threads_for(src, call->threads)};
    ImgPaletteWork work = {.means = NULL};
    if (own->palette.content != NULL) {
        img_palette_of_file(own, table);
        return IMG_OK;
    }
    ImgStatus status = count_all(call, &counting, err);
    if (status == IMG_OK && !img_palette_work_alloc(pixels_of(src), &work))
        status = no_memory(err);
    if (status == IMG_OK)
        img_palette_make(&counting.cells[0], own, img_quantize_rows()->nearest, &work, table);
    for (int i = 0; i < counting.threads; i++)
        img_cells_free(&counting.cells[i]);
    img_palette_work_free(&work);
    return status;
}

/* --- Rows in order ---------------------------------------------------------------------------- */

typedef struct ByRows {
    const ImgQuantizeParams *own;
    uint64_t *table;
    ImgCells cells;
    ImgPaletteWork work;
    int64_t left; /* number of rows that are not yet counted */
} ByRows;

static uint64_t by_rows_bytes(ImgShape src, const void *params)
{
    (void)params;
    return img_cells_bytes(pixels_of(src)) + img_palette_work_bytes(pixels_of(src));
}

static void end_rows(void *state)
{
    ByRows *own = state;
    img_cells_free(&own->cells);
    img_palette_work_free(&own->work);
    free(own);
}

static ImgStatus begin_rows(const ImgCall *call, void **state, ImgError *err)
{
    const uint64_t pixels = pixels_of(img_view_shape(&call->src));
    ByRows *own = *state = calloc(1, sizeof *own);
    if (own == NULL)
        return no_memory(err);
    own->own = call->params;
    own->table = img_view_counts(&call->dst, 0);
    own->left = call->src.height;
    if (own->own->palette.content != NULL) {
        img_palette_of_file(own->own, own->table);
        return IMG_OK;
    }
    if (img_cells_alloc(pixels, &own->cells) && img_palette_work_alloc(pixels, &own->work))
        return IMG_OK;
    end_rows(own);
    *state = NULL;
    return no_memory(err);
}

static void take_rows(void *state, const ImgView *rows, int32_t first)
{
    ByRows *own = state;
    (void)first;
    if (own->own->palette.content != NULL)
        return;
    add_rows(rows, 0, rows->height, &own->cells);
    own->left -= rows->height;
    if (own->left == 0)
        img_palette_make(&own->cells, own->own, img_quantize_rows()->nearest, &own->work,
                         own->table);
}

const ImgByRows img_palette_by_rows = {
    .bytes = by_rows_bytes, .begin = begin_rows, .take = take_rows, .end = end_rows};
