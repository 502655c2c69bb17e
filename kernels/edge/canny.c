/* canny: finds edges as thin white lines on black. */
#include "kernels/edge/canny.h"

#include <stdlib.h>

#include "kernels/core/color/luma.h"
#include "kernels/core/fixed/fixed_math.h"

typedef struct Params {
    /* standard deviation of the Gaussian that smooths the picture, in thousandths of a pixel */
    int32_t sigma;
    /* thresholds of the gradient's magnitude, in thousandths of a per cent of the magnitude at a
     * step from black to white */
    int32_t low, high;
    int32_t luma; /* ImgLuma value: the formula that computes luma from RGB */
    ImgBorderParams border;
} Params;

static const ImgParam params[] = {
    {.name = "sigma",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(Params, sigma),
     .default_value = "1",
     .min = 0,
     .max = IMG_CANNY_SIGMA,
     .help = "standard deviation of the Gaussian that smooths first, in pixels; 0: none"},
    {.name = "low",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(Params, low),
     .default_value = "5",
     .min = 0,
     .max = 100000,
     .help = "low threshold, in per cent of the gradient of a step from black to white: an "
             "edge continues above it"},
    {.name = "high",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(Params, high),
     .default_value = "10",
     .min = 0,
     .max = 100000,
     .help = "high threshold in per cent, at least --low: an edge starts above it"},
    {.name = "luma",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(Params, luma),
     .default_value = "709",
     .choices = img_luma_choices,
     .help = "weights of luma (brightness): ITU-R BT.709, or BT.601 as in Pillow and OpenCV"},
    IMG_BORDER_PARAMS(Params, border),
    {.name = NULL}};

/* Returns the shape of the result: gray of 8 bits, for a source of any format. */
static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    const Params *own = params_of_call;
    ImgStatus status = img_channels_shape(src, own, dst, err);
    if (status == IMG_OK && own->low > own->high)
        status =
            img_fail(err, IMG_E_USAGE,
                     "canny: low %g is above high %g; use a low threshold of at most the high one",
                     own->low / 1000.0, own->high / 1000.0);
    if (status == IMG_OK)
        dst->format = (ImgFormat){IMG_COLOR_GRAY, 8};
    return status;
}

static uint64_t traffic(ImgShape src, const void *params_of_call)
{
    (void)params_of_call;
    return (uint64_t)src.width * (uint64_t)src.height * (img_format_pixel_size(src.format) + 1);
}

/* --- Constants -------------------------------------------------------------------------------- */

/* Returns the radius of the Gaussian in pixels: 3.5 sigma, rounded up. `sigma` is in thousandths of
 * a pixel. */
static int32_t radius_of(int32_t sigma)
{
    return (7 * sigma + 1999) / 2000;
}

/* Computes the weights of the Gaussian, so that their sum is exactly 1. The weight at the centre
 * absorbs the rounding errors. */
static void make_weights(int32_t sigma, ImgCanny *canny)
{
    enum { ONE = 1 << IMG_CANNY_PLACES, MILLION = 1000000 };
    const uint64_t variance = 2 * (uint64_t)sigma * (uint64_t)sigma;
    uint64_t half[IMG_CANNY_RADIUS + 1], sum = 0;
    int32_t weights[IMG_CANNY_RADIUS + 1], rest = ONE, radius = radius_of(sigma);
    if (sigma == 0)
        return; /* the radius is 0: no smoothing */
    for (int32_t i = 0; i <= radius; i++) {
        half[i] = img_exp_negative((uint64_t)i * (uint64_t)i * MILLION, variance) >> 30;
        sum += (i > 0 ? 2 : 1) * half[i];
    }
    for (int32_t i = 1; i <= radius; i++) {
        weights[i] = (int32_t)((half[i] * ONE + sum / 2) / sum);
        rest -= 2 * weights[i];
    }
    weights[0] = rest;
    while (radius > 0 && weights[radius] == 0)
        radius--;
    for (int32_t i = -radius; radius > 0 && i <= radius; i++)
        canny->weights[radius + i] = (int16_t)weights[i < 0 ? -i : i];
    canny->radius = radius;
}

/* Converts a threshold to a squared magnitude of gradients. The threshold is in thousandths of a
 * per cent of the magnitude at a step from black to white. With Sobel's operator this magnitude is
 * four times white. */
static int32_t limit_of(int32_t threshold)
{
    const uint64_t step = 4 * IMG_CANNY_WHITE, all = 100000;
    const uint64_t square = (uint64_t)threshold * (uint64_t)threshold;
    return (int32_t)(square * (step * step) / (all * all));
}

static ImgStatus prepare(const ImgOp *op, ImgShape src, const void *params_of_call,
                         ImgConstants *constants, ImgError *err)
{
    const Params *own = params_of_call;
    ImgCanny *canny = calloc(1, sizeof *canny);
    uint16_t background[4];
    (void)op;
    if (canny == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for constants");
    canny->border = own->border.border;
    canny->channels = img_format_channels(src.format);
    canny->has_alpha = img_format_has_alpha(src.format);
    canny->scale = 65535 / img_format_maximum(src.format);
    canny->luma = img_luma_weights((ImgLuma)own->luma);
    canny->low = limit_of(own->low);
    canny->high = limit_of(own->high);
    img_border_samples(src.format, &own->border, background);
    const uint32_t samples[4] = {background[0], background[1], background[2], background[3]};
    canny->background = img_canny_gray(canny, samples);
    make_weights(own->sigma, canny);
    *constants = (ImgConstants){canny, sizeof *canny};
    return IMG_OK;
}

/* --- Descriptor ------------------------------------------------------------------------------- */

/* Implements ImgImpl.applies for the CUDA versions. Returns true if 31 bits suffice to number all
 * pixels, and all runs of edge pixels: each row is divided into words of 32 pixels, which have up
 * to 16 runs. */
static bool can_be_numbered(const ImgOp *op, ImgShape src, const void *params_of_call)
{
    const uint64_t words = ((uint64_t)src.width + 31) / 32 * (uint64_t)src.height;
    (void)op, (void)params_of_call;
    return (uint64_t)src.width * (uint64_t)src.height < UINT64_C(1) << 31 && words < UINT64_C(1)
                                                                                         << 27;
}

/* Implements ImgOp.cost.factor, from measurements. The factor is 1 up to a sigma of one pixel; for
 * larger sigmas, smoothing costs more. */
static double cost_factor(ImgShape src, const void *params_of_call)
{
    const int32_t sigma = ((const Params *)params_of_call)->sigma;
    (void)src;
    return sigma <= 1000 ? 1 : 1 + (sigma - 1000) / 4500.0;
}

static uint64_t scratch(ImgShape src, const void *params_of_call, int threads)
{
    const Params *own = params_of_call;
    return img_canny_scratch(radius_of(own->sigma), src, threads);
}

static const ImgImpl impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C, one stage after the other over the whole picture",
     .run = img_canny_reference},
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "threads, all stages while rows are in the cache, then edges that cross bands",
     .run = img_canny_cpu},
    IMG_X86_IMPLS(img_canny_cpu),
    {.name = "cuda-naive",
     .backend = IMG_BACKEND_CUDA,
     .note = "one pixel per thread, stage by stage through global memory; joins single pixels",
     .applies = can_be_numbered,
     .run = IMG_CUDA_RUN(img_canny_cuda_naive),
     .workspace = IMG_CUDA_RUN(img_canny_cuda_naive_workspace)},
    {.name = "cuda-fast",
     .backend = IMG_BACKEND_CUDA,
     .note = "all stages in tiles in shared memory, one bit per pixel after them; joins runs",
     .applies = can_be_numbered,
     .run = IMG_CUDA_RUN(img_canny_cuda_fast),
     .workspace = IMG_CUDA_RUN(img_canny_cuda_fast_workspace)},
    {.name = NULL},
};

const ImgOp img_op_canny = {
    .name = "canny",
    .group = IMG_GROUP_EDGES,
    .synopsis = "Find edges as thin lines (Canny)",
    .help = "Smooths with a Gaussian, computes the Sobel gradient and keeps only the strongest "
            "pixel across each edge. An edge starts where the gradient exceeds --high, and "
            "continues as long as it exceeds --low.\n\n"
            "Thresholds are in per cent of the gradient at a sharp step from black to white: "
            "OpenCV's 100 and 200 are about 10 and 20. Colour pictures are converted to luma "
            "first, and transparent pixels are blended with black. The result is a mask, gray "
            "of 8 bits: edges are white (255), everything else is black.",
    .example = "--sigma 1.4 --low 4 --high 12",
    .params = params,
    .params_size = sizeof(Params),
    .shape = shape,
    .cost = {.cpu_ns_per_byte = 0.7,
             .cuda_ns_per_byte = 0.006,
             .factor = cost_factor,
             .traffic = traffic,
             .scratch = scratch},
    .constants = {.prepare = prepare},
    .impls = impls,
};
