/* 3 x 3 filters: what becomes of a sample and the eight around it. A filter says it in one function
 * of nine samples, which stencil_source.h makes rows for the CPU of and stencil_cuda.cuh kernels
 * for CUDA.
 *
 * Each channel is filtered by itself. Colours with alpha are multiplied by it first, to 16 bits, so
 * that what cannot be seen makes no edges; alpha itself does not change. Samples of fewer than 8
 * bits are made ones of 8. */
#ifndef IMGTOOL_KERNELS_CORE_WINDOW_STENCIL_H
#define IMGTOOL_KERNELS_CORE_WINDOW_STENCIL_H

#include "kernels/core/window/border.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IMG_STENCIL_SAMPLES = 9 }; /* row by row; the sample itself is number 4 */

/* What constants of every such operation begin with. */
typedef struct ImgStencil {
    int32_t border;
    int32_t channels, has_alpha, bits; /* bits: 8 or 16 of the result */
    uint32_t scale;                    /* from samples of fewer bits to those of 8 */
    uint16_t background[4];            /* as img_stencil_load gives them */
} ImgStencil;

ImgStencil img_stencil_of(ImgFormat src, const ImgBorderParams *border);

/* Are samples filtered as they are in the source? */
IMG_HOST_DEVICE bool img_stencil_is_plain(const ImgStencil *stencil)
{
    return stencil->has_alpha == 0 && stencil->scale == 1;
}

/* The largest sample that is filtered. */
IMG_HOST_DEVICE uint32_t img_stencil_maximum(const ImgStencil *stencil)
{
    return stencil->bits == 16 ? 65535 : stencil->has_alpha != 0 ? 65025 : 255;
}

/* A colour, or a gray, as it is filtered; `alpha` where there is one. */
IMG_HOST_DEVICE uint32_t img_stencil_load(const ImgStencil *stencil, uint32_t sample,
                                          uint32_t alpha)
{
    const uint32_t scaled = sample * stencil->scale;
    if (stencil->has_alpha == 0)
        return scaled;
    return stencil->bits == 16 ? (sample * alpha + 32767) / 65535 : scaled * alpha * stencil->scale;
}

/* And as it is stored. */
IMG_HOST_DEVICE uint32_t img_stencil_store(const ImgStencil *stencil, uint32_t value)
{
    return stencil->has_alpha != 0 && stencil->bits == 8 ? (value + 127) / 255 : value;
}

/* Whole rows on the CPU: a row of the source, or of what lies beyond it, as it is filtered; and the
 * result as it is stored, with the source's alpha. `words` has as many samples as the row. */
void img_stencil_load_row(const ImgStencil *stencil, const ImgView *src, int64_t y,
                          uint16_t *words);
void img_stencil_store_row(const ImgStencil *stencil, const ImgView *src, int32_t y,
                           const uint16_t *words, const ImgView *dst);

/* What the descriptor of a filter lists: the functions that stencil_source.h and stencil_cuda.cuh
 * define, by the name that they are given. */
#define IMG_STENCIL_IMPLS(filter)                                                                  \
    {.name = "reference",                                                                          \
     .backend = IMG_BACKEND_CPU,                                                                   \
     .note = "plain C, sample by sample",                                                          \
     .run = filter##_reference},                                                                   \
        {.name = "cpu",                                                                            \
         .backend = IMG_BACKEND_CPU,                                                               \
         .note = "threads, row by row",                                                            \
         .run = filter##_portable},                                                                \
        {.name = "cpu-avx2",                                                                       \
         .backend = IMG_BACKEND_CPU,                                                               \
         .cpu_level = IMG_CPU_AVX2,                                                                \
         .note = "the same in vectors of 32 bytes",                                                \
         .run = IMG_X86_RUN(filter##_avx2)},                                                       \
        {.name = "cpu-avx512",                                                                     \
         .backend = IMG_BACKEND_CPU,                                                               \
         .cpu_level = IMG_CPU_AVX512,                                                              \
         .note = "the same in vectors of 64 bytes",                                                \
         .run = IMG_X86_RUN(filter##_avx512)},                                                     \
        {.name = "cuda-naive",                                                                     \
         .backend = IMG_BACKEND_CUDA,                                                              \
         .note = "nine samples from global memory for each",                                       \
         .run = IMG_CUDA_RUN(filter##_cuda_naive)},                                                \
        {.name = "cuda-tiled",                                                                     \
         .backend = IMG_BACKEND_CUDA,                                                              \
         .note = "tiles with halo in padded shared memory",                                        \
         .run = IMG_CUDA_RUN(filter##_cuda_tiled)},                                                \
        {.name = "cuda-strips",                                                                    \
         .backend = IMG_BACKEND_CUDA,                                                              \
         .note = "16 bytes per thread, down a strip, three rows in registers",                     \
         .run = IMG_CUDA_RUN(filter##_cuda_strips),                                                \
         .applies = img_stencil_applies_to_plain},                                                 \
        {.name = "cuda-fast",                                                                      \
         .backend = IMG_BACKEND_CUDA,                                                              \
         .note = "the same, two bytes at a time; what rows have in common once",                   \
         .run = IMG_CUDA_RUN(filter##_cuda_fast),                                                  \
         .applies = img_stencil_applies_to_plain},                                                 \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/* Declares them. */
#define IMG_STENCIL_FUNCTIONS(filter)                                                              \
    ImgRunFunction filter##_reference, filter##_portable, filter##_avx2, filter##_avx512,          \
        filter##_cuda_naive, filter##_cuda_tiled, filter##_cuda_strips, filter##_cuda_fast

/* For ImgOp.scratch: what stencil_source.h takes. */
uint64_t img_stencil_scratch(ImgShape src, const void *params, int threads);

/* Without alpha, samples of 8 or 16 bits. */
bool img_stencil_applies_to_plain(const ImgOp *op, ImgShape src, const void *params);

/* --- Arithmetic of filters -------------------------------------------------------------------- */

/* IEEE 754 says what a product, a sum and a square root are to the last bit, and nothing is
 * compiled so that two become one (CMakeLists.txt): CPU and GPU give the same. */

/* To the nearest whole number, ties up; at most `maximum`. `value` is not negative. */
IMG_HOST_DEVICE uint32_t img_rounded(float value, uint32_t maximum)
{
    const float bound = (float)maximum, whole = value + 0.5F;
    return (uint32_t)(int32_t)(whole < bound ? whole : bound);
}

#ifdef __cplusplus
}
#endif
#endif
