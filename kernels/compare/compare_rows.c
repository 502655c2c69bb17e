#include "kernels/compare/compare_rows.h"

#include <string.h>

#include "kernels/core/color/luma.h"

int img_compare_planes(ImgFormat format)
{
    int channels = img_format_channels(format);
    return channels < 3 ? channels : channels + 1;
}

static void split8(const uint8_t *row, int channels, int32_t count, uint16_t *const *planes)
{
    for (int c = 0; c < channels; c++)
        for (int32_t x = 0; x < count; x++)
            planes[c][x] = row[(size_t)x * (size_t)channels + (size_t)c];
}

static void split16(const uint16_t *row, int channels, int32_t count, uint16_t *const *planes)
{
    for (int c = 0; c < channels; c++)
        for (int32_t x = 0; x < count; x++)
            planes[c][x] = row[(size_t)x * (size_t)channels + (size_t)c];
}

static void split(const ImgView *view, int32_t x, int32_t y, int32_t count, uint16_t *const *planes)
{
    const uint8_t *row =
        view->data + (size_t)y * view->stride + (size_t)x * img_format_pixel_size(view->format);
    int channels = img_format_channels(view->format);
    if (view->format.bits == 16)
        split16((const uint16_t *)(const void *)row, channels, count, planes);
    else
        split8(row, channels, count, planes);
}

/* Sets all colours of the pixels that are fully transparent in both pictures to 0, so that they
 * count as equal. `alpha` is the index of the plane of alpha. Returns the number of these
 * pixels. */
static int32_t clear_transparent(const ImgRowPlanes *rows, int alpha, int32_t count)
{
    int32_t cleared = 0;
    for (int32_t x = 0; x < count; x++) {
        if ((rows->a[alpha][x] | rows->b[alpha][x]) != 0)
            continue;
        for (int c = 0; c < alpha; c++)
            rows->a[c][x] = rows->b[c][x] = 0;
        cleared++;
    }
    return cleared;
}

static void add_luma(uint16_t *const *planes, int luma, int32_t count)
{
    ImgLumaWeights weights = img_luma_weights(IMG_LUMA_601);
    for (int32_t x = 0; x < count; x++)
        planes[luma][x] = (uint16_t)img_luma(weights, planes[0][x], planes[1][x], planes[2][x]);
}

int32_t img_compare_fetch(const ImgView *a, const ImgView *b, int32_t x, int32_t y, int32_t count,
                          const ImgRowPlanes *rows)
{
    int channels = img_format_channels(a->format);
    int32_t cleared = 0;
    split(a, x, y, count, rows->a);
    split(b, x, y, count, rows->b);
    if (img_format_has_alpha(a->format))
        cleared = clear_transparent(rows, channels - 1, count);
    if (channels >= 3) {
        add_luma(rows->a, channels, count);
        add_luma(rows->b, channels, count);
    }
    return cleared;
}

ImgRowPlanes img_compare_layout(void *memory, size_t count)
{
    ImgRowPlanes rows;
    for (int p = 0; p < IMG_COMPARE_PLANES; p++) {
        rows.a[p] = (uint16_t *)memory + count * (size_t)p;
        rows.b[p] = (uint16_t *)memory + count * (size_t)(p + IMG_COMPARE_PLANES);
    }
    return rows;
}

size_t img_compare_row_bytes(size_t count)
{
    return 2 * IMG_COMPARE_PLANES * count * sizeof(uint16_t);
}

static uint64_t windows_along(int32_t length)
{
    return length < IMG_SSIM_WINDOW ? 1 : (uint64_t)length - IMG_SSIM_WINDOW + 1;
}

ImgComparison img_compare_start(ImgShape shape)
{
    int planes = img_compare_planes(shape.format);
    return (ImgComparison){
        .format = shape.format,
        .planes = planes,
        .has_luma = planes > img_format_channels(shape.format),
        .pixels = (uint64_t)shape.width * (uint64_t)shape.height,
        .windows = windows_along(shape.width) * windows_along(shape.height),
    };
}
