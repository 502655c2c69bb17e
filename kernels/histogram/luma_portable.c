/* Computes rows of luma in plain C. */
#include "kernels/histogram/luma_rest.h"

static void rgb8(const uint8_t *src, size_t count, ImgLumaWeights weights, void *luma)
{
    luma_rest8(src, 3, 0, count, weights, luma);
}

static void rgba8(const uint8_t *src, size_t count, ImgLumaWeights weights, void *luma)
{
    luma_rest8(src, 4, 0, count, weights, luma);
}

static void rgb16(const uint8_t *src, size_t count, ImgLumaWeights weights, void *luma)
{
    luma_rest16(src, 6, 0, count, weights, luma);
}

static void rgba16(const uint8_t *src, size_t count, ImgLumaWeights weights, void *luma)
{
    luma_rest16(src, 8, 0, count, weights, luma);
}

const ImgLumaRows img_luma_rows_portable = {rgb8, rgba8, rgb16, rgba16};
