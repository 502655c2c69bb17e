/* The implementations that blur and sharpen share, with their constants and the formats that the
 * CUDA versions support. */
#include "kernels/blur/gaussian.h"

#include <stdlib.h>

/* Returns by how much a lifted sample (window/lift.h) changes if the sample changes by 1/255
 * of its range. */
static int32_t lifted_unit(ImgFormat format)
{
    if (format.bits == 16)
        return 257;
    return img_format_has_alpha(format) ? 255 : 1 << IMG_LIFT_PLACES;
}

ImgStatus img_blur_prepare(const ImgBlurStep *step, const ImgBorderParams *border, ImgFormat src,
                           ImgConstants *constants, ImgError *err)
{
    ImgBlurEnd *end = malloc(sizeof *end);
    if (end == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the weights of a blur");
    img_gaussian_make(step->sigma, src, border, &end->gaussian);
    end->sharpens = step->sharpens;
    end->mask =
        (ImgUnsharp){(int32_t)(((int64_t)step->amount * (1 << IMG_AMOUNT_PLACES) + 500) / 1000),
                     (int32_t)(((int64_t)step->threshold * lifted_unit(src) + 500) / 1000)};
    *constants = (ImgConstants){end, sizeof *end};
    return IMG_OK;
}

/* --- Where CUDA implementations apply --------------------------------------------------------- */

/* Returns the factor by which the blur reduces the size of the picture before it filters. Returns 1
 * if the size stays the same, and 0 if the blur changes nothing. */
static int32_t factor_where_it_changes(const ImgOp *op, ImgShape src, const void *params)
{
    ImgConstants constants;
    if (img_op_prepare(op, src, params, &constants, NULL) != IMG_OK)
        return 0;
    const ImgGaussian *gaussian = &((const ImgBlurEnd *)constants.bytes)->gaussian;
    const int32_t factor = gaussian->radius > 0 ? gaussian->factor : 0;
    img_constants_free(&constants);
    return factor;
}

static bool is_direct(const ImgOp *op, ImgShape src, const void *params)
{
    return factor_where_it_changes(op, src, params) == 1;
}

static bool is_plain(const ImgOp *op, ImgShape src, const void *params)
{
    return !img_format_has_alpha(src.format) && factor_where_it_changes(op, src, params) > 0;
}

const ImgImpl img_gaussian_impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C, one axis after the other over the whole picture",
     .run = img_gaussian_reference},
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "threads, row by row, both axes while a row is in the cache",
     .run = img_gaussian_cpu},
    IMG_X86_IMPLS(img_gaussian_cpu),
    {.name = "cuda-naive",
     .backend = IMG_BACKEND_CUDA,
     .note = "one axis after the other, every sample read from global memory",
     .run = IMG_CUDA_RUN(img_gaussian_cuda_naive),
     .workspace = IMG_CUDA_RUN(img_gaussian_cuda_workspace)},
    {.name = "cuda-tiled",
     .backend = IMG_BACKEND_CUDA,
     .note = "both axes in tiles with halo in padded shared memory, 8 sums per thread",
     .run = IMG_CUDA_RUN(img_gaussian_cuda_tiled),
     .applies = is_direct},
    {.name = "cuda-fast",
     .backend = IMG_BACKEND_CUDA,
     .note = "without alpha: both axes at once, sums of bytes on tensor cores",
     .run = IMG_CUDA_RUN(img_gaussian_cuda_fast),
     .workspace = IMG_CUDA_RUN(img_gaussian_fast_workspace),
     .applies = is_plain},
    {.name = NULL},
};
