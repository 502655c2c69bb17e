#include "kernels/compare/compare.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/compare/compare_rows.h"
#include "kernels/compare/ssim.h"
#include "kernels/core/op.h"

/* Differences that are found in one part of the rows, and buffers for one row. */
typedef struct Count {
    ImgComparison sums;
    ImgRowPlanes rows;
} Count;

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
 * is slow, so it is called only for rows that differ. */
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

static void count_rows(const ImgView *a, const ImgView *b, int32_t first, int32_t step,
                       Count *count)
{
    int channels = img_format_channels(a->format);
    for (int64_t y = first; y < a->height; y += step) {
        ImgComparison *sums = &count->sums;
        sums->transparent +=
            (uint64_t)img_compare_fetch(a, b, 0, (int32_t)y, a->width, &count->rows);
        uint64_t before = 0, after = 0;
        for (int p = 0; p < sums->planes; p++) {
            before += sums->plane[p].differing;
            count_plane(count->rows.a[p], count->rows.b[p], a->width, &sums->plane[p]);
            after += sums->plane[p].differing;
        }
        if (after != before)
            count_pixels(count, channels, a->width, (int32_t)y);
    }
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
    return rows > img_ssim_bytes(threads) ? rows : img_ssim_bytes(threads);
}

typedef struct Counting {
    const ImgView *a, *b;
    int parts;
    Count *counts; /* one Count for each part of the rows */
} Counting;

static void count_part(void *context, int part)
{
    const Counting *counting = context;
    count_rows(counting->a, counting->b, part, counting->parts, &counting->counts[part]);
}

static ImgStatus count_differences(const ImgView *a, const ImgView *b, ImgTeam *team, int threads,
                                   ImgComparison *result, ImgError *err)
{
    size_t row = img_compare_row_bytes((size_t)a->width);
    Count *counts = calloc((size_t)threads, sizeof *counts);
    uint8_t *memory = malloc((size_t)threads * row);
    if (counts == NULL || memory == NULL) {
        free(counts);
        free(memory);
        return img_fail(err, IMG_E_MEMORY, "no memory to compare the pictures");
    }
    for (int t = 0; t < threads; t++)
        counts[t] =
            (Count){*result, img_compare_layout(memory + (size_t)t * row, (size_t)a->width)};
    Counting counting = {a, b, threads, counts};
    (void)img_parallel_run(team, threads, count_part, &counting);
    *result = counts[0].sums;
    for (int t = 1; t < threads; t++)
        add(result, &counts[t].sums);
    free(counts);
    free(memory);
    return IMG_OK;
}

ImgStatus img_compare(const ImgView *a, const ImgView *b, ImgTeam *team, int threads,
                      ImgComparison *result, ImgError *err)
{
    threads = useful_threads(img_view_shape(a), threads);
    *result = img_compare_start(a);
    ImgStatus status = count_differences(a, b, team, threads, result, err);
    if (status == IMG_OK)
        status = img_ssim(a, b, team, threads, result, err);
    return status;
}

/* --- Figures ------------------------------------------------------------------------------------
 */

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
