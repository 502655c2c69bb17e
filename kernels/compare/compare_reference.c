/* Reference implementation of comparisons in plain C. It computes every number directly from its
 * definition, sample by sample. */
#include <string.h>

#include "kernels/compare/compare.h"
#include "kernels/compare/compare_rows.h"
#include "kernels/compare/ssim.h"
#include "kernels/core/color/luma.h"
#include "kernels/core/sample.h"

typedef struct Pixel {
    uint32_t sample[IMG_COMPARE_PLANES];
} Pixel;

static Pixel pixel_at(const ImgView *view, int32_t x, int32_t y)
{
    Pixel pixel = {{0}};
    int channels = img_format_channels(view->format);
    const uint8_t *at =
        view->data + (size_t)y * view->stride + (size_t)x * img_format_pixel_size(view->format);
    for (int c = 0; c < channels; c++)
        pixel.sample[c] = img_sample(at, (size_t)c, view->format.bits);
    return pixel;
}

static void set_luma(Pixel *pixel, int channels)
{
    if (channels >= 3)
        pixel->sample[channels] = img_luma(img_luma_weights(IMG_LUMA_601), pixel->sample[0],
                                           pixel->sample[1], pixel->sample[2]);
}

/* Reads the pixel (x, y) of both pictures. Returns true if it is fully transparent in both of them;
 * in this case all its samples are set to 0. */
static bool pair_at(const ImgView *a, const ImgView *b, int32_t x, int32_t y, Pixel pair[2])
{
    int channels = img_format_channels(a->format);
    pair[0] = pixel_at(a, x, y);
    pair[1] = pixel_at(b, x, y);
    bool transparent = img_format_has_alpha(a->format) && pair[0].sample[channels - 1] == 0 &&
                       pair[1].sample[channels - 1] == 0;
    if (transparent)
        memset(pair, 0, 2 * sizeof *pair);
    set_luma(&pair[0], channels);
    set_luma(&pair[1], channels);
    return transparent;
}

static void count_pixel(const Pixel pair[2], int32_t x, int32_t y, ImgComparison *result)
{
    int channels = img_format_channels(result->format);
    uint32_t most = 0;
    for (int p = 0; p < result->planes; p++) {
        uint32_t first = pair[0].sample[p], second = pair[1].sample[p];
        uint32_t difference = first > second ? first - second : second - first;
        ImgPlaneDifference *plane = &result->plane[p];
        plane->squares += (uint64_t)difference * difference;
        plane->differing += difference != 0;
        plane->largest = difference > plane->largest ? difference : plane->largest;
        if (p < channels && difference > most)
            most = difference;
    }
    result->differing += most != 0;
    if (most > result->largest) {
        result->largest = most;
        result->x = x;
        result->y = y;
    }
}

/* Returns the weighted sum of the eleven values of a window, with IMG_SSIM_WEIGHTS. The order of
 * additions, from the middle outwards, is fixed, so that all implementations round alike. */
static double weigh(const double values[IMG_SSIM_WINDOW])
{
    static const double weights[] = IMG_SSIM_WEIGHTS;
    double sum = weights[0] * values[IMG_SSIM_REACH];
    for (int d = 1; d <= IMG_SSIM_REACH; d++)
        sum += weights[d] * (values[IMG_SSIM_REACH - d] + values[IMG_SSIM_REACH + d]);
    return sum;
}

typedef struct Window {
    Pixel pairs[IMG_SSIM_WINDOW][IMG_SSIM_WINDOW][2];
} Window;

static void read_window(const ImgView *a, const ImgView *b, int32_t x, int32_t y, Window *window)
{
    for (int j = 0; j < IMG_SSIM_WINDOW; j++)
        for (int i = 0; i < IMG_SSIM_WINDOW; i++)
            (void)pair_at(a, b, img_ssim_source(x + i, a->width), img_ssim_source(y + j, a->height),
                          window->pairs[j][i]);
}

static double product_of(int sum, double first, double second)
{
    const double products[IMG_SSIM_SUMS] = {first, second, first * first + second * second,
                                            first * second};
    return products[sum];
}

static uint32_t window_value(const Window *window, int plane, ImgSsimConstants constants)
{
    double sums[IMG_SSIM_SUMS];
    for (int s = 0; s < IMG_SSIM_SUMS; s++) {
        double rows[IMG_SSIM_WINDOW], values[IMG_SSIM_WINDOW];
        for (int j = 0; j < IMG_SSIM_WINDOW; j++) {
            for (int i = 0; i < IMG_SSIM_WINDOW; i++)
                values[i] = product_of(s, window->pairs[j][i][0].sample[plane],
                                       window->pairs[j][i][1].sample[plane]);
            rows[j] = weigh(values);
        }
        sums[s] = weigh(rows);
    }
    return img_ssim_value(sums, constants);
}

void img_compare_reference(const ImgView *a, const ImgView *b, ImgComparison *result)
{
    *result = img_compare_start(img_view_shape(a));
    for (int32_t y = 0; y < a->height; y++)
        for (int32_t x = 0; x < a->width; x++) {
            Pixel pair[2];
            result->transparent += pair_at(a, b, x, y, pair);
            count_pixel(pair, x, y, result);
        }
    ImgSsimConstants constants = img_ssim_constants(img_format_maximum(a->format));
    int32_t across = a->width < IMG_SSIM_WINDOW ? 1 : a->width - IMG_SSIM_WINDOW + 1;
    int32_t down = a->height < IMG_SSIM_WINDOW ? 1 : a->height - IMG_SSIM_WINDOW + 1;
    for (int32_t y = 0; y < down; y++)
        for (int32_t x = 0; x < across; x++) {
            Window window;
            read_window(a, b, x, y, &window);
            for (int p = 0; p < result->planes; p++)
                result->plane[p].similarity += window_value(&window, p, constants);
        }
}
