/* erode, dilate, open and close: their parameters, steps and implementations, then one descriptor
 * each. */
#include "kernels/morphology/morphology.h"

const ImgParam img_morphology_params[] = {
    {.name = "size",
     .type = IMG_PARAM_SIZE,
     .offset = offsetof(ImgMorphologyParams, size),
     .default_value = "3x3",
     .min = 1,
     .max = IMG_MORPHOLOGY_SIDE_MAX,
     .in_pixels = true,
     .help = "size of the rectangle in pixels, such as 5x3, or 5 for a square; sides up to 1023"},
    IMG_BORDER_PARAMS(ImgMorphologyParams, around),
    {.name = NULL}};

ImgStatus img_morphology_shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err)
{
    const ImgMorphologyParams *own = params;
    if (own->size.share > 0)
        return img_fail(err, IMG_E_USAGE,
                        "the rectangle needs a size in pixels, not in per cent; use WxH or W");
    return img_channels_shape(src, params, dst, err);
}

static int32_t height_of(const ImgMorphologyParams *own)
{
    return own->size.height > 0 ? own->size.height : own->size.width;
}

bool img_morphology_part(ImgShape src, const void *params, ImgRows wanted, ImgPart *part)
{
    const ImgMorphologyParams *own = params;
    const int32_t height = height_of(own);
    return img_window_part(src, &own->around, wanted, height / 2, (height - 1) / 2, part);
}

bool img_morphology_part_twice(ImgShape src, const void *params, ImgRows wanted, ImgPart *part)
{
    const ImgMorphologyParams *own = params;
    const int32_t both = height_of(own) - 1;
    return img_window_part(src, &own->around, wanted, both, both, part);
}

/* Limits the reach of a rectangle along one axis to `size`, the size of the picture. A rectangle
 * that reaches this far already contains all samples. With a border that reflects, samples repeat
 * only after twice the size, so the limit is 2 * size. */
static int32_t within(int32_t reach, int32_t size, int32_t border)
{
    const int64_t all = border == IMG_BORDER_REFLECT ? 2 * (int64_t)size : size;
    return reach < all ? reach : (int32_t)all;
}

static ImgMorphologyStep first_step(ImgShape src, const ImgMorphologyParams *own)
{
    const int32_t width = own->size.width > 0 ? own->size.width : own->size.height;
    const int32_t height = height_of(own);
    const int32_t border = own->around.border;
    ImgMorphologyStep step = {.left = within(width / 2, src.width, border),
                              .right = within((width - 1) / 2, src.width, border),
                              .up = within(height / 2, src.height, border),
                              .down = within((height - 1) / 2, src.height, border),
                              .border = border};
    img_border_samples(src.format, &own->around, step.background);
    return step;
}

static ImgMorphologyStep mirrored(ImgMorphologyStep step)
{
    ImgMorphologyStep back = {.left = step.right,
                              .right = step.left,
                              .up = step.down,
                              .down = step.up,
                              .border = step.border == IMG_BORDER_WRAP ? IMG_BORDER_WRAP
                                                                       : IMG_BORDER_REPLICATE,
                              .is_maximum = !step.is_maximum};
    return back;
}

ImgMorphology img_morphology(const ImgOp *op, ImgShape src, const void *params)
{
    ImgMorphology all = {.count = op == &img_op_open || op == &img_op_close ? 2 : 1,
                         .steps[0] = first_step(src, params)};
    all.steps[0].is_maximum = op == &img_op_dilate || op == &img_op_close;
    all.steps[1] = mirrored(all.steps[0]);
    return all;
}

ImgPrepass img_morphology_prepass(const ImgOp *op)
{
    return op == &img_op_erode ? IMG_PREPASS_NONE : IMG_PREPASS_CLEAR;
}

size_t img_morphology_cuda_between(const ImgOp *op, ImgShape src)
{
    const bool two = op == &img_op_open || op == &img_op_close;
    return two ? img_device_pitch(src) * (size_t)src.height : 0;
}

/* Returns the bytes of workspace for the copy that the prepass makes, and for the intermediate
 * picture between two steps. */
static size_t workspace(const ImgOp *op, ImgShape src, const void *params)
{
    (void)params;
    return img_prepass_workspace(img_morphology_prepass(op), src) +
           img_morphology_cuda_between(op, src);
}

/* Returns the bytes of workspace for the implementation with two passes. It also needs a picture
 * between the pass along rows and the pass down columns. */
static size_t workspace_of_passes(const ImgOp *op, ImgShape src, const void *params)
{
    return workspace(op, src, params) + img_device_pitch(src) * (size_t)src.height;
}

/* Largest side of a rectangle for textbook kernels, in pixels. Up to this side, two arrays of a
 * tile and its halo fit 48 KiB each, and reading all samples of a rectangle is not too slow. */
enum { TEXTBOOK_SIDE_MAX = 31 };

static bool is_textbook(const ImgOp *op, ImgShape src, const void *params)
{
    const ImgMorphology all = img_morphology(op, src, params);
    return img_morphology_width(&all.steps[0]) <= TEXTBOOK_SIDE_MAX &&
           img_morphology_height(&all.steps[0]) <= TEXTBOOK_SIDE_MAX;
}

const ImgImpl img_morphology_impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C: all samples of the rectangle in rows, then in columns",
     .run = img_morphology_reference},
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "threads; window doubling along rows, van Herk and Gil-Werman down columns",
     .run = img_morphology_cpu},
    {.name = "cpu-avx2",
     .backend = IMG_BACKEND_CPU,
     .cpu_level = IMG_CPU_AVX2,
     .note = "as cpu, compiled for AVX2",
     .run = IMG_X86_RUN(img_morphology_cpu_avx2)},
    {.name = "cpu-avx512",
     .backend = IMG_BACKEND_CPU,
     .cpu_level = IMG_CPU_AVX512,
     .note = "as cpu, compiled for AVX-512",
     .run = IMG_X86_RUN(img_morphology_cpu_avx512)},
    {.name = "cuda-naive",
     .backend = IMG_BACKEND_CUDA,
     .note = "one pixel per thread, its rectangle read from global memory; up to 31 x 31",
     .run = IMG_CUDA_RUN(img_morphology_cuda_naive),
     .applies = is_textbook,
     .workspace = workspace},
    {.name = "cuda-tiled",
     .backend = IMG_BACKEND_CUDA,
     .note = "32 x 8 tile with halo in padded shared memory; rectangles up to 31 x 31",
     .run = IMG_CUDA_RUN(img_morphology_cuda_tiled),
     .applies = is_textbook,
     .workspace = workspace},
    {.name = "cuda-separable",
     .backend = IMG_BACKEND_CUDA,
     .note = "as cuda-tiled, but along rows and then down columns",
     .run = IMG_CUDA_RUN(img_morphology_cuda_separable),
     .applies = is_textbook,
     .workspace = workspace},
    {.name = "cuda-passes",
     .backend = IMG_BACKEND_CUDA,
     .note = "window doubling along rows, van Herk and Gil-Werman down columns, packed minima",
     .run = IMG_CUDA_RUN(img_morphology_cuda_passes),
     .workspace = workspace_of_passes},
    {.name = "cuda-fast",
     .backend = IMG_BACKEND_CUDA,
     .note = "3x3 and 5x5 in one pass in registers, 16 bytes per access; others as cuda-passes",
     .run = IMG_CUDA_RUN(img_morphology_cuda_fast),
     .workspace = workspace_of_passes},
    {.name = NULL},
};

/* Replaces each sample by the minimum over a rectangle. */
const ImgOp img_op_erode = {
    .name = "erode",
    .group = IMG_GROUP_EDGES,
    .synopsis = "Shrink bright areas (minimum over a rectangle)",
    .help = "Dark areas grow, bright areas shrink, and bright spots smaller than the rectangle "
            "vanish. Each channel is filtered separately, including alpha.\n\n"
            "The rectangle is centred on its sample; an even side reaches one pixel further to "
            "the left or upwards. Two erosions by 3x3 equal one by 5x5. The time does not "
            "depend on the size.",
    .example = "--size 5x5",
    .params = img_morphology_params,
    .params_size = sizeof(ImgMorphologyParams),
    .shape = img_morphology_shape,
    .cost = {.cpu_ns_per_byte = 0.085, .scratch = img_morphology_scratch_erode},
    .bands = {.part = img_morphology_part},
    .impls = img_morphology_impls,
};

/* Replaces each sample by the maximum over a rectangle. */
const ImgOp img_op_dilate = {
    .name = "dilate",
    .group = IMG_GROUP_EDGES,
    .synopsis = "Grow bright areas (maximum over a rectangle)",
    .help = "Bright areas grow, dark areas shrink, and dark spots smaller than the rectangle "
            "vanish. Each channel is filtered separately, including alpha. Colours of fully "
            "transparent pixels are ignored.\n\n"
            "The rectangle is centred on its sample; an even side reaches one pixel further to "
            "the left or upwards. Two dilations by 3x3 equal one by 5x5. The time does not "
            "depend on the size.",
    .example = "--size 5x5",
    .params = img_morphology_params,
    .params_size = sizeof(ImgMorphologyParams),
    .shape = img_morphology_shape,
    .cost = {.cpu_ns_per_byte = 0.085, .scratch = img_morphology_scratch_dilate},
    .bands = {.part = img_morphology_part},
    .impls = img_morphology_impls,
};

/* An erosion followed by a dilation. */
const ImgOp img_op_open = {
    .name = "open",
    .group = IMG_GROUP_EDGES,
    .synopsis = "Remove small bright details (erode, then dilate)",
    .help = "Erodes, then dilates with the same rectangle. If a side is even, the second step "
            "mirrors the rectangle, so that nothing shifts. No sample becomes brighter, details "
            "larger than the rectangle keep their place, and opening again changes nothing.\n\n"
            "Each channel is filtered separately, including alpha. Colours of fully transparent "
            "pixels are ignored. --border applies to the erosion; the dilation ignores pixels "
            "outside, except with --border wrap.",
    .example = "--size 5x5",
    .params = img_morphology_params,
    .params_size = sizeof(ImgMorphologyParams),
    .shape = img_morphology_shape,
    .cost = {.cpu_ns_per_byte = 0.16, .scratch = img_morphology_scratch_open},
    .bands = {.part = img_morphology_part_twice},
    .impls = img_morphology_impls,
};

/* A dilation followed by an erosion. */
const ImgOp img_op_close = {
    .name = "close",
    .group = IMG_GROUP_EDGES,
    .synopsis = "Remove small dark details (dilate, then erode)",
    .help = "Dilates, then erodes with the same rectangle. If a side is even, the second step "
            "mirrors the rectangle, so that nothing shifts. No sample becomes darker, details "
            "larger than the rectangle keep their place, and closing again changes nothing.\n\n"
            "Each channel is filtered separately, including alpha. Colours of fully transparent "
            "pixels are ignored. --border applies to the dilation; the erosion ignores pixels "
            "outside, except with --border wrap.",
    .example = "--size 5x5",
    .params = img_morphology_params,
    .params_size = sizeof(ImgMorphologyParams),
    .shape = img_morphology_shape,
    .cost = {.cpu_ns_per_byte = 0.16, .scratch = img_morphology_scratch_close},
    .bands = {.part = img_morphology_part_twice},
    .impls = img_morphology_impls,
};
