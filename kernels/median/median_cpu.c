/* median on the CPU. The picture is divided into tiles of some columns and many rows, which threads
 * process. A thread keeps the lines that its window covers, and either the lists of a sorting
 * network or the counts of columns. This memory is at most about 2 MiB, even for large pictures. */
#include <stdlib.h>
#include <string.h>

#include "kernels/core/sample.h"
#include "kernels/median/median_rows.h"

/* --- Counts of columns ------------------------------------------------------------------------ */

static void count(const ImgMedianTile *tile, int32_t sample, uint32_t value, uint8_t by)
{
    const uint32_t bin = value / IMG_MEDIAN_BINS;
    const size_t samples = (size_t)tile->line_samples, place = (size_t)sample;
    uint8_t *coarse = tile->counts.coarse + place * IMG_MEDIAN_BINS;
    uint8_t *fine = tile->counts.fine + (bin * samples + place) * IMG_MEDIAN_BINS;
    coarse[bin] = (uint8_t)(coarse[bin] + by);
    fine[value % IMG_MEDIAN_BINS] = (uint8_t)(fine[value % IMG_MEDIAN_BINS] + by);
}

static void replace_narrow(const ImgMedianTile *tile, const uint8_t *old, const uint8_t *line,
                           bool first)
{
    for (int32_t i = 0; i < tile->line_samples; i++) {
        if (!first)
            count(tile, i, old[i], UINT8_MAX);
        count(tile, i, line[i], 1);
    }
}

static void replace_wide(const ImgMedianTile *tile, int32_t place, const uint8_t *line, bool first)
{
    for (int32_t i = 0; i < tile->line_samples; i++) {
        const uint32_t value = img_sample(line, (size_t)i, 16);
        uint8_t *upper = tile->counts.upper + (size_t)i * IMG_MEDIAN_COLUMN + place;
        if (!first)
            count(tile, i, *upper, UINT8_MAX);
        *upper = (uint8_t)(value >> 8);
        tile->counts.lower[(size_t)i * IMG_MEDIAN_COLUMN + (size_t)place] = (uint8_t)value;
        count(tile, i, *upper, 1);
    }
}

/* Updates the counts of all columns. Must be called before `line` is stored as line number `place`
 * of the tile. `first` is true if the tile has no line with this number yet. */
static void replace_counts(const ImgMedianTile *tile, int32_t place, const uint8_t *line,
                           bool first)
{
    if (tile->bytes == 1)
        replace_narrow(tile, tile->lines + (size_t)place * tile->line_stride, line, first);
    else
        replace_wide(tile, place, line, first);
}

/* --- Tiles and threads ------------------------------------------------------------------------ */

/* NETWORK_MAX_8 and NETWORK_MAX_16 are the largest radii for which networks are faster than
 * counting, as measured (MEASUREMENTS.md). NETWORK_BYTES and COUNTS_SAMPLES limit the width of a
 * tile. So networks work in or near the first-level cache, and the counts of columns stay in the
 * second-level cache. */
enum { NETWORK_MAX_8 = 5, NETWORK_MAX_16 = 8, NETWORK_BYTES = 4096, COUNTS_SAMPLES = 2048 };

/* Layout of the memory that one thread uses for its tiles. `size` is the number of bytes; the other
 * members are offsets in bytes: of the lines, of a line that is being loaded, and of the data for a
 * network or for counting. */
typedef struct Layout {
    size_t lines, line, planes, registers, coarse, fine, upper, lower, size;
} Layout;

typedef struct MedianFilter {
    const ImgCall *call;
    ImgMedianRow *row;
    const ImgMedianProgram *program;
    uint16_t background[4];
    bool counting;
    int32_t strip_pixels, strips, bands, parts;
    size_t line_stride;
    Layout layout; /* layout of the memory that each thread uses */
    uint8_t *memory;
} MedianFilter;

static int32_t radius_of(const ImgCall *call)
{
    return ((const ImgMedianParams *)call->params)->radius;
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* Reserves `size` bytes in the layout, rounded up to whole blocks, and returns their offset. */
static size_t take(Layout *layout, size_t size)
{
    const size_t begin = layout->size;
    layout->size += (size + IMG_MEDIAN_BLOCK - 1) / IMG_MEDIAN_BLOCK * IMG_MEDIAN_BLOCK;
    return begin;
}

/* Computes the layout of the memory that each thread uses, for the widest tile. */
static Layout lay_out(const MedianFilter *filter, const ImgMedianTile *tile)
{
    const size_t stride = filter->line_stride, samples = (size_t)tile->line_samples;
    const size_t wide = tile->bytes == 2 ? samples * IMG_MEDIAN_COLUMN : 0;
    Layout layout = {0};
    layout.lines = take(&layout, stride * (size_t)(2 * tile->radius + 1));
    layout.line = take(&layout, stride);
    if (filter->counting) {
        layout.coarse = take(&layout, samples * IMG_MEDIAN_BINS);
        layout.fine = take(&layout, samples * IMG_MEDIAN_BINS * IMG_MEDIAN_BINS);
        layout.upper = take(&layout, wide);
        layout.lower = take(&layout, wide);
    } else {
        layout.planes = take(&layout, stride * (size_t)filter->program->planes);
        layout.registers = take(&layout, IMG_MEDIAN_BLOCK * (size_t)filter->program->registers);
    }
    /* the functions of ImgMedianRow may access one block past the end */
    (void)take(&layout, IMG_MEDIAN_BLOCK);
    return layout;
}

static void place_tile(const Layout *layout, uint8_t *memory, ImgMedianTile *tile)
{
    tile->lines = memory + layout->lines;
    tile->planes = memory + layout->planes;
    tile->registers = memory + layout->registers;
    tile->counts = (ImgMedianCounts){memory + layout->coarse, memory + layout->fine,
                                     memory + layout->upper, memory + layout->lower};
}

/* --- Lines ------------------------------------------------------------------------------------ */

static void fetch_pixel(const MedianFilter *filter, int64_t x, const uint8_t *row, uint8_t *to)
{
    const ImgView *src = &filter->call->src;
    const ImgMedianParams *own = filter->call->params;
    const size_t pixel = img_format_pixel_size(src->format);
    const int32_t place = row == NULL ? -1 : img_border_place(x, src->width, own->border.border);
    if (place >= 0) {
        memcpy(to, row + (size_t)place * pixel, pixel);
        return;
    }
    for (int c = 0; c < img_format_channels(src->format); c++)
        img_sample_set(to, (size_t)c, src->format.bits, filter->background[c]);
}

/* Loads the pixels `x` to `end` - 1 of row `y` to `to`. Positions beyond the edges of the picture
 * are filled as the border defines. */
static void fetch_line(const MedianFilter *filter, int64_t x, int64_t end, int64_t y, uint8_t *to)
{
    const ImgView *src = &filter->call->src;
    const ImgMedianParams *own = filter->call->params;
    const size_t pixel = img_format_pixel_size(src->format);
    const int32_t place = img_border_place(y, src->height, own->border.border);
    const uint8_t *row = place < 0 ? NULL : src->data + (size_t)place * src->stride;
    for (; x < end && (x < 0 || row == NULL); x++, to += pixel)
        fetch_pixel(filter, x, row, to);
    if (x < end && x < src->width) {
        const int64_t inside = (end < src->width ? end : src->width) - x;
        memcpy(to, row + (size_t)x * pixel, (size_t)inside * pixel);
        x += inside;
        to += (size_t)inside * pixel;
    }
    for (; x < end; x++, to += pixel)
        fetch_pixel(filter, x, row, to);
}

/* --- Tiles ------------------------------------------------------------------------------------ */

/* Loads the lowest line of the window for row `y` of the result, `radius` rows below row `y`. This
 * line replaces the line just above the window, which is no longer needed. */
static void next_line(const MedianFilter *filter, const ImgMedianTile *tile, int64_t x, int64_t y,
                      bool first, uint8_t *line)
{
    const int32_t side = 2 * tile->radius + 1;
    const int64_t end = x + tile->line_samples / tile->channels;
    const int32_t slot = (int32_t)((y + side) % side);
    uint8_t *place = tile->lines + (size_t)slot * tile->line_stride;
    if (!filter->counting) {
        fetch_line(filter, x, end, y, place);
        return;
    }
    fetch_line(filter, x, end, y, line);
    replace_counts(tile, slot, line, first);
    memcpy(place, line, (size_t)tile->line_samples * (size_t)tile->bytes);
}

static ImgMedianTile tile_of(const MedianFilter *filter, int32_t pixels)
{
    const ImgFormat format = filter->call->src.format;
    ImgMedianTile tile = {.radius = radius_of(filter->call),
                          .channels = img_format_channels(format),
                          .bytes = format.bits == 16 ? 2 : 1,
                          .line_stride = filter->line_stride,
                          .program = filter->program};
    tile.samples = pixels * tile.channels;
    tile.line_samples = tile.samples + 2 * tile.radius * tile.channels;
    return tile;
}

static void filter_tile(const MedianFilter *filter, int32_t x, int32_t pixels, int32_t top,
                        int32_t bottom, uint8_t *memory)
{
    const ImgView *dst = &filter->call->dst;
    const size_t pixel = img_format_pixel_size(dst->format);
    ImgMedianTile tile = tile_of(filter, pixels);
    uint8_t *line = memory + filter->layout.line;
    place_tile(&filter->layout, memory, &tile);
    /* clears the coarse counts, and the fine counts that follow them in memory */
    if (filter->counting)
        memset(tile.counts.coarse, 0, filter->layout.upper - filter->layout.coarse);
    for (int64_t y = (int64_t)top - tile.radius; y < (int64_t)top + tile.radius; y++)
        next_line(filter, &tile, (int64_t)x - tile.radius, y, true, line);
    for (int32_t y = top; y < bottom; y++) {
        next_line(filter, &tile, (int64_t)x - tile.radius, (int64_t)y + tile.radius, y == top,
                  line);
        filter->row(&tile, line);
        memcpy(dst->data + (size_t)y * dst->stride + (size_t)x * pixel, line,
               (size_t)pixels * pixel);
    }
}

static void filter_part(void *context, int part)
{
    const MedianFilter *filter = context;
    const ImgView *dst = &filter->call->dst;
    const int64_t tiles = (int64_t)filter->strips * filter->bands;
    for (int64_t t = tiles * part / filter->parts; t < tiles * (part + 1) / filter->parts; t++) {
        const int32_t x = (int32_t)(t % filter->strips) * filter->strip_pixels;
        const int64_t band = t / filter->strips;
        const int32_t left = dst->width - x;
        filter_tile(filter, x, left < filter->strip_pixels ? left : filter->strip_pixels,
                    (int32_t)(dst->height * band / filter->bands),
                    (int32_t)(dst->height * (band + 1) / filter->bands),
                    filter->memory + (size_t)part * filter->layout.size);
    }
}

/* --- A call ----------------------------------------------------------------------------------- */

/* Divides the picture into bands of rows. A band is at least as high as a window, because a thread
 * must load all lines of the first window of each band. */
static void divide(MedianFilter *filter)
{
    const ImgCall *call = filter->call;
    const ImgFormat format = call->src.format;
    const int32_t radius = radius_of(call), channels = img_format_channels(format);
    const int32_t bytes = format.bits == 16 ? 2 : 1, height = call->dst.height;
    const int32_t samples = filter->counting ? COUNTS_SAMPLES / bytes : NETWORK_BYTES / bytes;
    const int32_t most = height / (2 * radius + 1) > 0 ? height / (2 * radius + 1) : 1;
    const uint64_t size = (uint64_t)call->dst.width * (uint64_t)height *
                          img_format_pixel_size(format) * (uint64_t)radius;
    filter->strip_pixels = samples / channels;
    filter->strips = (call->dst.width - 1) / filter->strip_pixels + 1;
    filter->parts = size < IMG_BYTES_WORTH_THREADS / 4 ? 1 : call->threads;
    filter->bands = filter->parts < most ? filter->parts : most;
    ImgMedianTile tile = tile_of(filter, filter->strip_pixels);
    /* Number of bytes per line, rounded up to whole blocks. One block is added because lists may
     * begin at any offset, so that loops may access one block past the end. Another block is added
     * so that lines do not map to the same sets of the cache. */
    filter->line_stride =
        ((size_t)tile.line_samples * (size_t)bytes / IMG_MEDIAN_BLOCK + 3) * IMG_MEDIAN_BLOCK;
    filter->layout = lay_out(filter, &tile);
}

static bool is_counted(const ImgCall *call)
{
    return radius_of(call) > (call->src.format.bits == 16 ? NETWORK_MAX_16 : NETWORK_MAX_8);
}

/* Implements ImgOp.cost.scratch: returns the bytes that all threads together allocate. They depend
 * on the number of lists in the program of the sorting network. So the function builds this
 * program, which takes some microseconds. The memory of the program is small and not included. */
uint64_t img_median_scratch(ImgShape src, const void *params, int threads)
{
    const ImgView view = img_view_make(NULL, 0, src);
    const ImgCall call = {.src = view, .dst = view, .params = params, .threads = threads};
    ImgMedianProgram program = {0};
    MedianFilter filter = {.call = &call, .program = &program, .counting = is_counted(&call)};
    uint64_t bytes = img_prepass_scratch(IMG_PREPASS_CLEAR, src);
    if (filter.counting || img_median_program_make(radius_of(&call), &program)) {
        divide(&filter);
        bytes += filter.layout.size * (uint64_t)filter.parts;
    }
    img_median_program_free(&program);
    return bytes;
}

/* The row functions for one instruction set: one uses a sorting network, the other one counts. */
typedef struct Variant {
    ImgMedianRow *network, *counts;
} Variant;

static ImgStatus run_parts(const ImgCall *call, const void *variant, ImgError *err)
{
    const Variant *loops = variant;
    const ImgMedianParams *own = call->params;
    ImgMedianProgram program = {0};
    const bool counting = is_counted(call);
    MedianFilter filter = {.call = call,
                           .row = counting ? loops->counts : loops->network,
                           .program = &program,
                           .counting = counting};
    bool ready = counting || img_median_program_make(own->radius, &program);
    if (ready) {
        img_border_samples(call->src.format, &own->border, filter.background);
        divide(&filter);
        filter.memory = img_large_alloc(filter.layout.size * (size_t)filter.parts);
        ready = filter.memory != NULL;
    }
    if (ready) {
        memset(filter.memory, 0, filter.layout.size * (size_t)filter.parts);
        (void)img_parallel_run(call->team, filter.parts, filter_part, &filter);
    }
    free(filter.memory);
    img_median_program_free(&program);
    return ready ? IMG_OK : img_fail(err, IMG_E_MEMORY, "no memory");
}

static ImgStatus run(const ImgCall *call, ImgMedianRow *network, ImgMedianRow *counts,
                     ImgError *err)
{
    return img_prepass_cpu(IMG_PREPASS_CLEAR, call, run_parts, &(Variant){network, counts}, err);
}

ImgStatus img_median_cpu(const ImgCall *call, ImgError *err)
{
    return run(call, img_median_network_portable, img_median_counts_portable, err);
}

#ifdef IMGTOOL_X86
ImgStatus img_median_cpu_avx2(const ImgCall *call, ImgError *err)
{
    return run(call, img_median_network_avx2, img_median_counts_avx2, err);
}

ImgStatus img_median_cpu_avx512(const ImgCall *call, ImgError *err)
{
    return run(call, img_median_network_avx512, img_median_counts_avx2, err);
}
#endif
