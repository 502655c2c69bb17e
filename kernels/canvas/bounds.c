/* bounds: measures the smallest rectangle that contains every pixel that differs from the
 * background. The operation trim crops the picture to this rectangle. */
#include <string.h>

#include "kernels/canvas/trim.h"
#include "kernels/core/minmax.h"
#include "kernels/core/op.h"
#include "kernels/core/sample.h"
#include "kernels/window/border.h"

enum { PER_CENT = 100000 };

static const ImgChoice autos[] = {{"auto", IMG_TRIM_AUTO}, {NULL, 0}};

const ImgParam img_trim_params[] = {
    {.name = "tolerance",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(ImgTrimParams, tolerance),
     .default_value = "0",
     .min = 0,
     .max = PER_CENT,
     .help = "largest difference of a sample from the background, in per cent of full white"},
    {.name = "background",
     .type = IMG_PARAM_COLOR,
     .offset = offsetof(ImgTrimParams, background),
     .default_value = "auto",
     .choices = autos,
     .help = "colour to cut off; auto: the colour of the top left pixel"},
    {.name = NULL}};

static bool is_auto(const ImgTrimParams *own)
{
    const ImgRgba color = own->background;
    return color.red == IMG_TRIM_AUTO && color.green == 0 && color.blue == 0 && color.alpha == 0;
}

bool img_trim_keeps_palette(const void *params)
{
    const ImgTrimParams *own = params;
    return own->tolerance == 0 && is_auto(own);
}

ImgTrimTest img_trim_test(ImgFormat format, const ImgTrimParams *own)
{
    const ImgBorderParams color = {.background = own->background};
    ImgTrimTest test = {.from_corner = is_auto(own), .maximum = img_format_maximum(format)};
    uint16_t samples[4];
    img_border_samples(format, &color, samples);
    for (int c = 0; c < 4; c++)
        test.background[c] = samples[c];
    test.threshold = (uint32_t)((uint64_t)test.maximum * (uint32_t)own->tolerance / PER_CENT);
    return test;
}

static ImgStatus shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err)
{
    (void)params;
    return img_measure_shape("bounds", src, IMG_BOUNDS_COUNT, 1, dst, err);
}

static void read_pixel(const ImgView *src, int32_t x, int32_t y, uint32_t pixel[4])
{
    const int channels = img_format_channels(src->format);
    const uint8_t *row = src->data + (size_t)y * src->stride;
    for (int c = 0; c < channels; c++)
        pixel[c] = img_sample(row, (size_t)x * (size_t)channels + (size_t)c, src->format.bits);
}

static ImgStatus run_reference(const ImgCall *call, ImgError *err)
{
    const ImgView *src = &call->src;
    const int channels = img_format_channels(src->format);
    const int32_t width = src->width, height = src->height;
    ImgTrimTest test = img_trim_test(src->format, call->params);
    uint64_t *bounds = img_view_counts(&call->dst, 0);
    (void)err;
    if (test.from_corner)
        read_pixel(src, 0, 0, test.background);
    memset(bounds, 0, IMG_BOUNDS_COUNT * sizeof *bounds);
    for (int32_t y = 0; y < height; y++) {
        for (int32_t x = 0; x < width; x++) {
            uint32_t pixel[4] = {0};
            read_pixel(src, x, y, pixel);
            if (!img_trim_differs(&test, pixel, test.background, channels))
                continue;
            const int32_t own[] = {width - x, height - y, x + 1, y + 1};
            for (int i = 0; i < IMG_BOUNDS_COUNT; i++)
                bounds[i] = img_max64(bounds[i], (uint64_t)own[i]);
        }
    }
    return IMG_OK;
}

static const ImgImpl impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C, pixel by pixel",
     .run = run_reference},
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "threads, from all four sides up to the first pixel that differs",
     .run = img_bounds_cpu,
     .by_rows = &img_bounds_by_rows},
    {.name = "cuda-naive",
     .backend = IMG_BACKEND_CUDA,
     .note = "one pixel per thread, four atomic maxima per differing pixel",
     .run = IMG_CUDA_RUN(img_bounds_cuda_naive)},
    {.name = "cuda-fast",
     .backend = IMG_BACKEND_CUDA,
     .note = "16-byte loads; maxima per thread, warp and block, then four atomic ones per block",
     .run = IMG_CUDA_RUN(img_bounds_cuda_fast)},
    {.name = NULL},
};

const ImgOp img_measure_bounds = {
    .name = "bounds",
    .synopsis = "Find the rectangle that differs from the background",
    .help = "Gives one row of four numbers: the distances of the rectangle from the edges, as trim "
            "needs them.",
    .example = "",
    .params = img_trim_params,
    .params_size = sizeof(ImgTrimParams),
    .shape = shape,
    .palette = {.keeps = img_keeps_palette},
    .cost = {.cpu_ns_per_byte = 0.05, .traffic = img_measure_traffic},
    .effect = {.get = img_measure_effect},
    .impls = impls,
};
