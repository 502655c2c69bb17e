/* What the descriptors of point operations share, and several of them as one. */
#include "kernels/core/point/point_impls.h"

ImgStatus img_point_prepare(const ImgOp *op, ImgFormat src, const void *params,
                            ImgConstants *constants, ImgError *err)
{
    if (!img_op_is_points(op, params))
        return IMG_OK;
    ImgPoints points = img_points_start(src);
    ImgStatus status = op->points(params, &points, err);
    if (status == IMG_OK)
        status = img_points_compose(&points, err);
    if (status == IMG_OK)
        status = img_points_pack(&points, constants, err);
    img_points_free(&points);
    return status;
}

const ImgImpl img_point_impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C, pixel by pixel",
     .run = img_point_reference},
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "threads, a channel at a time",
     .run = img_point_cpu},
    {.name = "cpu-avx2",
     .backend = IMG_BACKEND_CPU,
     .cpu_level = IMG_CPU_AVX2,
     .note = "the same in vectors of 32 bytes",
     .run = IMG_X86_RUN(img_point_cpu_avx2)},
    {.name = "cpu-avx512",
     .backend = IMG_BACKEND_CPU,
     .cpu_level = IMG_CPU_AVX512,
     .note = "the same in vectors of 64 bytes",
     .run = IMG_X86_RUN(img_point_cpu_avx512)},
    {.name = "cuda-naive",
     .backend = IMG_BACKEND_CUDA,
     .note = "one pixel per thread, tables from the caches",
     .run = IMG_CUDA_RUN(img_point_cuda_naive)},
    {.name = "cuda-fast",
     .backend = IMG_BACKEND_CUDA,
     .note = "16 or 8 pixels per thread, 16 bytes per access, tables in shared memory",
     .run = IMG_CUDA_RUN(img_point_cuda_fast)},
    {.name = NULL},
};

static const ImgParam no_params[] = {{.name = NULL}};

const ImgOp img_op_points = {
    .name = "points",
    .synopsis = "Several point operations in one pass",
    .params = no_params,
    .shape = img_channels_shape,
    .needs_channels = true,
    .impls = img_point_impls,
};
