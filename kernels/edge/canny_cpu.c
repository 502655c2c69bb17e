/* canny on the CPU, with a band of rows for each thread. A thread processes its band row by row,
 * through all stages, so that rows stay in the cache. Then it follows the edges inside the band. At
 * the end, one thread follows edges across the seams between bands. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/edge/canny.h"
#include "kernels/edge/canny_cpu_priv.h"

/* --- Hysteresis ------------------------------------------------------------------------------- */

/* Hysteresis makes weak pixels strong if they are connected to strong pixels. */

/* Number of bytes that follow and follow_across each allocate. */
enum { FOLLOW_BYTES = 1 << 18 };

typedef struct Pixel {
    int32_t x, y;
} Pixel;

enum { STACK_MOST = FOLLOW_BYTES / sizeof(Pixel) };

/* State while edges are followed within the rows `first` to `end` - 1. The stack has the pixels
 * whose neighbours must still be examined. `left_some` is set if a pixel did not fit the stack; in
 * this case all rows are searched again. */
typedef struct Search {
    const ImgView *classes;
    int32_t first, end;
    Pixel *stack;
    size_t count;
    bool left_some;
} Search;

static uint8_t *row_of(const Search *search, int32_t y)
{
    return search->classes->data + (size_t)y * search->classes->stride;
}

static void push(Search *search, int32_t x, int32_t y)
{
    if (search->count < STACK_MOST)
        search->stack[search->count++] = (Pixel){x, y};
    else
        search->left_some = true;
}

/* Makes the weak pixels around (x, y) strong, and pushes them on the stack. */
static void strengthen(Search *search, int32_t x, int32_t y)
{
    const int32_t top = y > search->first ? y - 1 : y, left = x > 0 ? x - 1 : x;
    const int32_t bottom = y + 1 < search->end ? y + 1 : y;
    const int32_t right = x + 1 < search->classes->width ? x + 1 : x;
    for (int32_t line = top; line <= bottom; line++) {
        uint8_t *row = row_of(search, line);
        for (int32_t column = left; column <= right; column++)
            if (row[column] == IMG_CANNY_WEAK) {
                row[column] = IMG_CANNY_STRONG;
                push(search, column, line);
            }
    }
}

static void follow_from(Search *search, int32_t x, int32_t y)
{
    strengthen(search, x, y);
    while (search->count > 0) {
        const Pixel pixel = search->stack[--search->count];
        strengthen(search, pixel.x, pixel.y);
    }
}

/* Follows edges from the strong pixels of row `y`. Most pixels are black, so it skips eight black
 * pixels at a time. */
static void follow_row(Search *search, int32_t y)
{
    const uint8_t *row = row_of(search, y);
    const int32_t width = search->classes->width;
    for (int32_t x = 0; x < width; x++) {
        uint64_t eight = 1;
        if (x + (int32_t)sizeof eight <= width)
            memcpy(&eight, row + x, sizeof eight);
        if (eight == 0)
            x += (int32_t)sizeof eight - 1;
        else if (row[x] == IMG_CANNY_STRONG)
            follow_from(search, x, y);
    }
}

/* Follows edges that begin in the rows `from` to `to` - 1, but only within the rows `first` to
 * `end` - 1. If pixels do not fit the stack, searches all rows `first` to `end` - 1 again, until
 * all pixels fit. Returns false when memory is short. */
static bool follow_rows(const ImgView *classes, int32_t first, int32_t end, int32_t from,
                        int32_t to)
{
    Search search = {.classes = classes, .first = first, .end = end};
    search.stack = malloc(STACK_MOST * sizeof *search.stack);
    if (search.stack == NULL)
        return false;
    do {
        search.left_some = false;
        for (int32_t y = from; y < to; y++)
            follow_row(&search, y);
        from = first;
        to = end;
    } while (search.left_some);
    free(search.stack);
    return true;
}

/* Follows edges from all strong pixels in the rows `first` to `end` - 1, within these rows. Returns
 * false when memory is short; then some pixels remain weak although they are connected to strong
 * ones. */
static bool follow(const ImgView *classes, int32_t first, int32_t end)
{
    return follow_rows(classes, first, end, first, end);
}

/* Follows edges across a seam between two bands that were processed separately. The seam lies
 * between the rows `seam` - 1 and `seam`. Edges that cross it are followed to their ends, in any
 * row. Returns false when memory is short. */
static bool follow_across(const ImgView *classes, int32_t seam)
{
    return follow_rows(classes, 0, classes->height, seam - 1, seam + 1);
}

/* --- Bands of rows ---------------------------------------------------------------------------- */

/* Data that all bands of a picture have in common. */
typedef struct CannyBands {
    const ImgCall *call;
    const ImgCanny *canny;
    const ImgCannyRows *rows;
    int parts;
    atomic_bool failed;
} CannyBands;

/* The row buffers of a band. Buffers of several rows are rings: row y is at index y modulo the
 * number of rows, and replaces a row that is no longer needed. */
typedef struct Band {
    const CannyBands *shared;
    int16_t *gray; /* ring of 2 * radius + 1 rows of gray */
    int32_t kept;
    int64_t next;    /* first row of gray that is not in the ring yet */
    int16_t *padded; /* one row of vertical sums, extended by radius + 1 pixels at each end */
    int16_t *smooth[3];
    ImgCannyGradient gradient[3];
} Band;

enum { SMOOTH_ROWS = 3, GRADIENT_ROWS = 3 };

static int32_t first_of(const CannyBands *shared, int part)
{
    return (int32_t)((int64_t)shared->call->src.height * part / shared->parts);
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* Returns a row of `count` 16-bit numbers from *memory, and advances *memory past it. One more
 * number before the row is accessible too. */
static int16_t *take(int16_t **memory, size_t count)
{
    enum { ALIGNED = 64 };
    int16_t *row = *memory + ALIGNED;
    *memory += (count + 2 * ALIGNED) / ALIGNED * ALIGNED + ALIGNED;
    return row;
}

/* Returns the number of 16-bit numbers to allocate per row. It includes 256 numbers for the padding
 * that `take` adds, and is rounded up to a multiple of 64. */
static size_t row_numbers(size_t width, size_t radius)
{
    return (width + 2 * radius + 256 + 63) / 64 * 64;
}

static size_t band_numbers(size_t width, size_t radius)
{
    return (2 * radius + 1 + 1 + SMOOTH_ROWS + 4 * GRADIENT_ROWS) * row_numbers(width, radius);
}

uint64_t img_canny_scratch(int32_t radius, ImgShape src, int threads)
{
    const size_t numbers = band_numbers((size_t)src.width, (size_t)radius);
    return (numbers * sizeof(int16_t) + FOLLOW_BYTES) *
           (uint64_t)img_op_band_threads(src, src.height, threads);
}

/* Allocates the row buffers of a band, filled with zeros. Magnitudes beyond the left and right
 * edges of the picture stay 0. Returns the memory to free, or NULL when memory is short. */
static int16_t *band_alloc(const CannyBands *shared, Band *band)
{
    const size_t width = (size_t)shared->call->src.width, radius = (size_t)shared->canny->radius;
    const size_t row = row_numbers(width, radius);
    int16_t *memory = calloc(band_numbers(width, radius), sizeof *memory);
    int16_t *rest = memory;
    *band = (Band){.shared = shared, .kept = (int32_t)(2 * radius + 1)};
    if (memory == NULL)
        return NULL;
    band->gray = rest;
    rest += (size_t)band->kept * row;
    band->padded = take(&rest, width + 2 * radius + 2) + radius + 1;
    for (int i = 0; i < SMOOTH_ROWS; i++)
        band->smooth[i] = take(&rest, width + 2);
    for (int i = 0; i < GRADIENT_ROWS; i++)
        band->gradient[i] = (ImgCannyGradient){take(&rest, width), take(&rest, width),
                                               (int32_t *)(void *)take(&rest, 2 * width + 4) + 1};
    return memory;
}

/* --- Stages ----------------------------------------------------------------------------------- */

static int16_t *gray_row(const Band *band, int64_t y)
{
    const int64_t slot = y % band->kept;
    return band->gray +
           (size_t)(slot < 0 ? slot + band->kept : slot) * (size_t)band->shared->call->src.width;
}

static void make_gray(const Band *band, int64_t y)
{
    const CannyBands *shared = band->shared;
    const ImgView *src = &shared->call->src;
    const int32_t line = img_border_place(y, src->height, shared->canny->border);
    int16_t *row = gray_row(band, y);
    if (line >= 0)
        shared->rows->gray(shared->canny, src->format.bits, src->data + (size_t)line * src->stride,
                           row, src->width);
    for (int32_t x = 0; line < 0 && x < src->width; x++)
        row[x] = (int16_t)shared->canny->background;
}

/* Computes the vertical sums for row `y`, and stores them in band->padded, after the padding at its
 * left end. */
static void smooth_down(Band *band, int64_t y)
{
    const ImgCanny *canny = band->shared->canny;
    const size_t width = (size_t)band->shared->call->src.width;
    const void *places[2 * IMG_CANNY_RADIUS + 2];
    const int32_t radius = canny->radius, taps = 2 * radius + 2;
    for (band->next = band->next > y - radius ? band->next : y - radius; band->next <= y + radius;
         band->next++)
        make_gray(band, band->next);
    if (radius == 0) {
        memcpy(band->padded, gray_row(band, y), width * sizeof *band->padded);
        return;
    }
    for (int32_t k = 0; k < taps; k++)
        places[k] = gray_row(band, y - radius + (k < taps - 1 ? k : k - 1));
    const ImgTaps sums = {places, canny->weights, taps, IMG_CANNY_PLACES, 0};
    band->shared->rows->window->weigh_lifted(&sums, band->padded, width);
}

static void pad(const Band *band)
{
    const ImgCanny *canny = band->shared->canny;
    const int32_t width = band->shared->call->src.width;
    for (int32_t i = 1; i <= canny->radius + 1; i++) {
        const int32_t left = img_border_place(-i, width, canny->border);
        const int32_t right = img_border_place((int64_t)width - 1 + i, width, canny->border);
        band->padded[-i] = left < 0 ? (int16_t)canny->background : band->padded[left];
        band->padded[width - 1 + i] = right < 0 ? (int16_t)canny->background : band->padded[right];
    }
}

static int16_t *smooth_row(const Band *band, int64_t y)
{
    return band->smooth[(y + SMOOTH_ROWS) % SMOOTH_ROWS];
}

/* Smooths row `y`, from one pixel before the first to one after the last. */
static void smooth(Band *band, int64_t y)
{
    const ImgCanny *canny = band->shared->canny;
    const size_t count = (size_t)band->shared->call->src.width + 2;
    const void *places[2 * IMG_CANNY_RADIUS + 2];
    const int32_t radius = canny->radius, taps = 2 * radius + 2;
    smooth_down(band, y);
    pad(band);
    if (radius == 0) {
        memcpy(smooth_row(band, y), band->padded - 1, count * sizeof(int16_t));
        return;
    }
    for (int32_t k = 0; k < taps; k++)
        places[k] = band->padded - 1 - radius + (k < taps - 1 ? k : k - 1);
    const ImgTaps sums = {places, canny->weights, taps, IMG_CANNY_PLACES, 0};
    band->shared->rows->window->weigh_lifted(&sums, smooth_row(band, y), count);
}

static const ImgCannyGradient *gradient_row(const Band *band, int64_t y)
{
    return &band->gradient[(y + GRADIENT_ROWS) % GRADIENT_ROWS];
}

/* Computes the gradients of row `y`. The smoothed rows y - 1 to y + 1 must be ready. */
static void make_gradient(const Band *band, int64_t y)
{
    const ImgView *src = &band->shared->call->src;
    const ImgCannyGradient *to = gradient_row(band, y);
    if (y < 0 || y == src->height) {
        memset(to->magnitude, 0, (size_t)src->width * sizeof *to->magnitude);
        return;
    }
    const int16_t *const rows[] = {smooth_row(band, y - 1) + 1, smooth_row(band, y) + 1,
                                   smooth_row(band, y + 1) + 1};
    band->shared->rows->gradient(rows, to, src->width);
}

static void classify(const Band *band, int32_t y)
{
    const ImgView *dst = &band->shared->call->dst;
    const ImgCannyGradient rows[] = {*gradient_row(band, (int64_t)y - 1), *gradient_row(band, y),
                                     *gradient_row(band, (int64_t)y + 1)};
    band->shared->rows->classify(band->shared->canny, rows, dst->data + (size_t)y * dst->stride,
                                 dst->width);
}

/* --- Bands ------------------------------------------------------------------------------------ */

/* Computes the classes of the pixels in the rows `first` to `end` - 1. The suppression of pixels
 * that are not ridges also needs the gradients of one more row on each side. */
static void find_edges(Band *band, int32_t first, int32_t end)
{
    const int64_t height = band->shared->call->src.height;
    const int64_t top = first > 0 ? first - 2 : -1;
    band->next = INT64_MIN;
    smooth(band, top);
    smooth(band, top + 1);
    if (first == 0)
        make_gradient(band, -1);
    for (int64_t y = top + 1; y <= end; y++) {
        if (y < height)
            smooth(band, y + 1);
        make_gradient(band, y);
        if (y > first)
            classify(band, (int32_t)y - 1);
    }
}

static void do_band(void *context, int part)
{
    CannyBands *shared = context;
    const int32_t first = first_of(shared, part), end = first_of(shared, part + 1);
    Band band;
    int16_t *memory = first < end ? band_alloc(shared, &band) : NULL;
    if (memory != NULL)
        find_edges(&band, first, end);
    if (first < end && (memory == NULL || !follow(&shared->call->dst, first, end)))
        atomic_store(&shared->failed, true);
    free(memory);
}

static void finish_band(void *context, int part)
{
    const CannyBands *shared = context;
    const ImgView *dst = &shared->call->dst;
    for (int32_t y = first_of(shared, part); y < first_of(shared, part + 1); y++)
        shared->rows->finish(dst->data + (size_t)y * dst->stride, dst->width);
}

static ImgStatus run(const ImgCall *call, const ImgCannyRows *rows, ImgError *err)
{
    const uint64_t pixels = (uint64_t)call->src.width * (uint64_t)call->src.height;
    const bool small = pixels * img_format_pixel_size(call->src.format) < IMG_BYTES_WORTH_THREADS;
    CannyBands shared = {.call = call, .canny = call->constants.bytes, .rows = rows};
    shared.parts = small ? 1 : call->threads;
    atomic_init(&shared.failed, false);
    (void)img_parallel_run(call->team, shared.parts, do_band, &shared);
    for (int part = 1; part < shared.parts && !atomic_load(&shared.failed); part++) {
        const int32_t seam = first_of(&shared, part);
        if (seam > 0 && !follow_across(&call->dst, seam))
            atomic_store(&shared.failed, true);
    }
    (void)img_parallel_run(call->team, shared.parts, finish_band, &shared);
    if (atomic_load(&shared.failed))
        return img_fail(err, IMG_E_MEMORY, "no memory to find edges in %d x %d pixels",
                        call->src.width, call->src.height);
    return IMG_OK;
}

IMG_DEFINE_CPU_RUNS(img_canny_cpu, run, &img_canny_rows)
