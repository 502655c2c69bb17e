/* median: replaces each sample by the median of a window around it. This file has its
 * descriptor. */
#include "kernels/median/median.h"

static const ImgParam params[] = {
    {.name = "radius",
     .type = IMG_PARAM_INT,
     .offset = offsetof(ImgMedianParams, radius),
     .default_value = "1",
     .min = 1,
     .max = IMG_MEDIAN_RADIUS_MAX,
     .help = "radius of the window in pixels; 1: a window of 3 x 3 pixels"},
    IMG_BORDER_PARAMS(ImgMedianParams, border),
    {.name = NULL}};

static bool fits_textbook(const ImgOp *op, ImgShape src, const void *params_of_call)
{
    (void)op;
    (void)src;
    return ((const ImgMedianParams *)params_of_call)->radius <= IMG_MEDIAN_CUDA_TEXTBOOK_MAX;
}

static size_t workspace(const ImgOp *op, ImgShape src, const void *params_of_call)
{
    (void)op;
    (void)params_of_call;
    return img_prepass_workspace(IMG_PREPASS_CLEAR, src);
}

static const ImgImpl impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C, counts the samples of the window",
     .run = img_median_reference},
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "threads, sorting networks; histograms of columns for larger radii",
     .run = img_median_cpu},
    IMG_X86_IMPLS(img_median_cpu),
    {.name = "cuda-naive",
     .backend = IMG_BACKEND_CUDA,
     .note = "one pixel per thread, counts its window in global memory; up to radius 5",
     .applies = fits_textbook,
     .run = IMG_CUDA_RUN(img_median_cuda_naive),
     .workspace = workspace},
    {.name = "cuda-tiled",
     .backend = IMG_BACKEND_CUDA,
     .note = "as cuda-naive, from a tile with halo in padded shared memory; up to radius 5",
     .applies = fits_textbook,
     .run = IMG_CUDA_RUN(img_median_cuda_tiled),
     .workspace = workspace},
    {.name = "cuda-counts",
     .backend = IMG_BACKEND_CUDA,
     .note = "one warp per column, with a histogram that slides with the window",
     .run = IMG_CUDA_RUN(img_median_cuda_counts),
     .workspace = workspace},
    {.name = "cuda-fast",
     .backend = IMG_BACKEND_CUDA,
     .note = "sorting networks on two samples per word up to radius 4, else histograms of columns; "
             "radius 5 of 16 bits as cuda-tiled",
     .run = IMG_CUDA_RUN(img_median_cuda_fast),
     .workspace = workspace},
    {.name = NULL},
};

/* Implements ImgOp.cost.factor: the cost relative to a median of 3 x 3, from measurements
 * (MEASUREMENTS.md). */
static double cost_factor(ImgShape src, const void *params_of_call)
{
    static const double in_registers[] = {1, 1, 2.5, 5};
    const int32_t radius = ((const ImgMedianParams *)params_of_call)->radius;
    if (radius < (int32_t)(sizeof in_registers / sizeof in_registers[0]))
        return in_registers[radius];
    return src.format.bits < 16 || radius <= 8 ? 40 : 110 + 3 * radius;
}

static bool part(ImgShape src, const void *params_of_call, ImgRows wanted, ImgPart *part)
{
    const ImgMedianParams *own = params_of_call;
    return img_window_part(src, &own->border, wanted, own->radius, own->radius, part);
}

const ImgOp img_op_median = {
    .name = "median",
    .group = IMG_GROUP_FILTERS,
    .synopsis = "Remove specks and noise (median filter)",
    .help = "Each sample becomes the median of the window around it, which removes specks and "
            "keeps edges sharp. Each channel is filtered separately, including alpha. Colours "
            "of fully transparent pixels count as black. Where more than half of the window "
            "is fully transparent, the result is fully transparent.",
    .example = "--radius 2",
    .params = params,
    .params_size = sizeof(ImgMedianParams),
    .shape = img_channels_shape,
    .cost = {.cpu_ns_per_byte = 0.16, .factor = cost_factor, .scratch = img_median_scratch},
    .bands = {.part = part},
    .impls = impls,
};
