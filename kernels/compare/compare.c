#include "kernels/compare/compare.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/compare/compare_rows.h"
#include "kernels/compare/ssim.h"
#include "kernels/core/op.h"

/* Differences that one thread has found in its rows, and buffers for one row. */
typedef struct Count {
    ImgComparison sums;
    /* Last row of the pictures in which each plane differs; -1: none. */
    int32_t last[IMG_COMPARE_PLANES];
    ImgRowPlanes rows;
} Count;

struct ImgComparer {
    ImgShape shape;
    ImgTeam *team;
    int threads;
    int32_t done;  /* number of rows that were compared */
    Count *counts; /* one Count for each thread */
    uint8_t *memory;
    ImgSsim ssim;
};

static void count_plane(const uint16_t *a, const uint16_t *b, int32_t width,
                        ImgPlaneDifference *plane)
{
    /* The width is at most 2^31 and each squared difference is below 2^32, so 64 bits suffice. */
    uint64_t squares = 0;
    uint32_t differing = 0, largest = 0;
    for (int32_t x = 0; x < width; x++) {
        int32_t difference = (int32_t)a[x] - (int32_t)b[x];
        uint32_t size = (uint32_t)(difference < 0 ? -difference : difference);
        squares += (uint64_t)size * size;
        differing += size != 0;
        largest = size > largest ? size : largest;
    }
    plane->squares += squares;
    plane->differing += differing;
    plane->largest = largest > plane->largest ? largest : plane->largest;
}

/* Counts the pixels of row `y` that differ, and updates the largest difference and its position. It
 * is slow, so the caller calls it only for rows that differ. */
static void count_pixels(Count *count, int channels, int32_t width, int32_t y)
{
    ImgComparison *sums = &count->sums;
    for (int32_t x = 0; x < width; x++) {
        uint32_t largest = 0;
        for (int c = 0; c < channels; c++) {
            int32_t difference = (int32_t)count->rows.a[c][x] - (int32_t)count->rows.b[c][x];
            uint32_t size = (uint32_t)(difference < 0 ? -difference : difference);
            largest = size > largest ? size : largest;
        }
        sums->differing += largest != 0;
        if (largest > sums->largest) {
            sums->largest = largest;
            sums->x = x;
            sums->y = y;
        }
    }
}

static void count_row(const ImgView *a, const ImgView *b, int32_t row, int32_t y, Count *count)
{
    ImgComparison *sums = &count->sums;
    bool differs = false;
    sums->transparent += (uint64_t)img_compare_fetch(a, b, 0, row, a->width, &count->rows);
    for (int p = 0; p < sums->planes; p++) {
        const uint64_t before = sums->plane[p].differing;
        count_plane(count->rows.a[p], count->rows.b[p], a->width, &sums->plane[p]);
        if (sums->plane[p].differing == before)
            continue;
        count->last[p] = y;
        differs = true;
    }
    if (differs)
        count_pixels(count, img_format_channels(a->format), a->width, y);
}

static bool is_before(const ImgComparison *a, const ImgComparison *b)
{
    return a->y < b->y || (a->y == b->y && a->x < b->x);
}

static void add(ImgComparison *to, const ImgComparison *from)
{
    if (from->largest > to->largest || (from->largest == to->largest && is_before(from, to))) {
        to->largest = from->largest;
        to->x = from->x;
        to->y = from->y;
    }
    to->differing += from->differing;
    to->transparent += from->transparent;
    for (int p = 0; p < to->planes; p++) {
        ImgPlaneDifference *plane = &to->plane[p];
        const ImgPlaneDifference *other = &from->plane[p];
        plane->squares += other->squares;
        plane->differing += other->differing;
        plane->largest = other->largest > plane->largest ? other->largest : plane->largest;
    }
}

/* Returns the number of threads to use, at most `threads` and at most one per row. Small pictures
 * use one thread. */
static int useful_threads(ImgShape shape, int threads)
{
    if ((uint64_t)shape.width * (uint64_t)shape.height * img_format_pixel_size(shape.format) <
        IMG_BYTES_WORTH_THREADS / 8)
        return 1;
    return threads < shape.height ? threads : shape.height;
}

uint64_t img_compare_bytes(ImgShape shape, int threads)
{
    threads = useful_threads(shape, threads);
    uint64_t rows =
        (uint64_t)threads * (img_compare_row_bytes((size_t)shape.width) + sizeof(Count));
    return rows + img_ssim_bytes(threads);
}

ImgStatus img_comparer_create(ImgShape shape, ImgTeam *team, int threads, ImgComparer **comparer,
                              ImgError *err)
{
    ImgComparer *own = *comparer = calloc(1, sizeof *own);
    if (own == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory to compare the pictures");
    const size_t row = img_compare_row_bytes((size_t)shape.width);
    own->shape = shape;
    own->team = team;
    own->threads = useful_threads(shape, threads);
    own->counts = calloc((size_t)own->threads, sizeof *own->counts);
    own->memory = malloc((size_t)own->threads * row);
    if (own->counts == NULL || own->memory == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory to compare the pictures");
    for (int t = 0; t < own->threads; t++) {
        Count *count = &own->counts[t];
        count->sums = img_compare_start(shape);
        count->rows = img_compare_layout(own->memory + (size_t)t * row, (size_t)shape.width);
        for (int p = 0; p < IMG_COMPARE_PLANES; p++)
            count->last[p] = -1;
    }
    return img_ssim_begin(shape, own->counts[0].sums.planes, own->threads, &own->ssim, err);
}

void img_comparer_free(ImgComparer *comparer)
{
    if (comparer == NULL)
        return;
    img_ssim_end(&comparer->ssim);
    free(comparer->counts);
    free(comparer->memory);
    free(comparer);
}

int32_t img_comparer_first_row(const ImgComparer *comparer)
{
    return comparer->done > IMG_COMPARE_AGAIN ? comparer->done - IMG_COMPARE_AGAIN : 0;
}

/* A band of both pictures. Its first row is row `top` of the pictures. */
typedef struct Band {
    const ImgComparer *comparer;
    const ImgView *a, *b;
    int32_t top;
} Band;

/* Compares the rows of the band that no earlier band contained: every `threads`-th of them,
 * beginning with number `part`. */
static void count_part(void *context, int part)
{
    const Band *band = context;
    const ImgComparer *comparer = band->comparer;
    const int64_t end = (int64_t)band->top + band->a->height;
    for (int64_t y = (int64_t)comparer->done + part; y < end; y += comparer->threads)
        count_row(band->a, band->b, (int32_t)(y - band->top), (int32_t)y, &comparer->counts[part]);
}

/* Sets equal[p] to true if plane p is the same in both pictures from row `top` on, otherwise to
 * false. */
static void find_equal(const ImgComparer *comparer, int32_t top, bool *equal)
{
    for (int p = 0; p < IMG_COMPARE_PLANES; p++) {
        equal[p] = true;
        for (int t = 0; t < comparer->threads; t++)
            equal[p] = equal[p] && comparer->counts[t].last[p] < top;
    }
}

void img_comparer_add(ImgComparer *comparer, const ImgView *a, const ImgView *b)
{
    Band band = {comparer, a, b, img_comparer_first_row(comparer)};
    bool equal[IMG_COMPARE_PLANES];
    (void)img_parallel_run(comparer->team, comparer->threads, count_part, &band);
    find_equal(comparer, band.top, equal);
    img_ssim_add(&comparer->ssim, a, b, equal, comparer->team);
    comparer->done = band.top + a->height;
}

ImgComparison img_comparer_result(const ImgComparer *comparer)
{
    ImgComparison result = comparer->counts[0].sums;
    for (int t = 1; t < comparer->threads; t++)
        add(&result, &comparer->counts[t].sums);
    for (int p = 0; p < result.planes; p++)
        result.plane[p].similarity = img_ssim_sum(&comparer->ssim, p);
    return result;
}

ImgStatus img_compare(const ImgView *a, const ImgView *b, ImgTeam *team, int threads,
                      ImgComparison *result, ImgError *err)
{
    ImgComparer *comparer;
    ImgStatus status = img_comparer_create(img_view_shape(a), team, threads, &comparer, err);
    if (status == IMG_OK) {
        img_comparer_add(comparer, a, b);
        *result = img_comparer_result(comparer);
    }
    img_comparer_free(comparer);
    return status;
}

/* --- Figures ---------------------------------------------------------------------------------- */

double img_compare_plane_mse(const ImgComparison *result, int plane)
{
    return (double)result->plane[plane].squares / (double)result->pixels;
}

double img_compare_mse(const ImgComparison *result)
{
    int channels = img_format_channels(result->format);
    ImgWide squares = 0;
    for (int c = 0; c < channels; c++)
        squares += result->plane[c].squares;
    return (double)squares / ((double)result->pixels * channels);
}

double img_compare_psnr(const ImgComparison *result, double mse)
{
    double maximum = img_format_maximum(result->format);
    return mse > 0 ? 10 * log10(maximum * maximum / mse) : INFINITY;
}

double img_compare_ssim(const ImgComparison *result, int plane)
{
    ImgWide sum = result->plane[plane].similarity, zero = (ImgWide)result->windows * IMG_SSIM_ONE;
    double above = sum >= zero ? (double)(sum - zero) : -(double)(zero - sum);
    return above / (double)zero;
}

int img_compare_main_plane(const ImgComparison *result)
{
    return result->has_luma ? result->planes - 1 : 0;
}
