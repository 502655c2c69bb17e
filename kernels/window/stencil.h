/* 3 x 3 filters: each result depends on a sample and on the eight around it. A filter is one
 * function of nine samples. From that function, stencil_source.h makes loops over rows on the CPU,
 * and stencil_cuda.cuh makes CUDA kernels.
 *
 * Each channel is filtered separately. If there is alpha, colours are first multiplied by it, to 16
 * bits, so that hidden colours cause no edges; alpha itself does not change. Samples of fewer than
 * 8 bits are scaled to 8 bits. */
#ifndef IMGTOOL_KERNELS_WINDOW_STENCIL_H
#define IMGTOOL_KERNELS_WINDOW_STENCIL_H

#include "kernels/window/border.h"

#ifdef __cplusplus
extern "C" {
#endif

/* number of samples from which a filter computes a result, row by row from the top; sample 4 is in
 * the centre */
enum { IMG_STENCIL_SAMPLES = 9 };

/* Properties of picture and border. The constants of every 3 x 3 filter begin with this struct. */
typedef struct ImgStencil {
    int32_t border;
    /* number of channels; not 0 if the last one is alpha; bits of a result sample, 8 or 16 */
    int32_t channels, has_alpha, bits;
    /* factor that scales samples of fewer than 8 bits to 8 bits; otherwise 1 */
    uint32_t scale;
    /* samples of the background, as img_stencil_load returns them */
    uint16_t background[4];
} ImgStencil;

ImgStencil img_stencil_of(ImgFormat src, const ImgBorderParams *border);

/* Returns true if the filter works on samples as they are stored, without conversion. */
IMG_HOST_DEVICE bool img_stencil_is_plain(const ImgStencil *stencil)
{
    return stencil->has_alpha == 0 && stencil->scale == 1;
}

/* Returns the largest value that img_stencil_load returns, which is the largest input of the
 * filter. With alpha, an 8-bit colour is multiplied by alpha, so it is 255 * 255. */
IMG_HOST_DEVICE uint32_t img_stencil_maximum(const ImgStencil *stencil)
{
    return stencil->bits == 16 ? 65535 : stencil->has_alpha != 0 ? 65025 : 255;
}

/* Converts a stored colour or gray sample to the value that is filtered. `alpha` is the alpha of
 * the pixel; it is ignored if the format has no alpha. */
IMG_HOST_DEVICE uint32_t img_stencil_load(const ImgStencil *stencil, uint32_t sample,
                                          uint32_t alpha)
{
    const uint32_t scaled = sample * stencil->scale;
    if (stencil->has_alpha == 0)
        return scaled;
    return stencil->bits == 16 ? (sample * alpha + 32767) / 65535 : scaled * alpha * stencil->scale;
}

/* Converts a filtered value back to a sample that can be stored. */
IMG_HOST_DEVICE uint32_t img_stencil_store(const ImgStencil *stencil, uint32_t value)
{
    return stencil->has_alpha != 0 && stencil->bits == 8 ? (value + 127) / 255 : value;
}

/* Convert whole rows on the CPU. `load` converts row `y` of the source, or of the border beyond it,
 * to the values that are filtered. `store` converts the results back and stores them with the alpha
 * of the source. `words` has as many samples as a row. */
void img_stencil_load_row(const ImgStencil *stencil, const ImgView *src, int64_t y,
                          uint16_t *words);
void img_stencil_store_row(const ImgStencil *stencil, const ImgView *src, int32_t y,
                           const uint16_t *words, const ImgView *dst);

/* List of implementations for the descriptor of `filter`. stencil_source.h and stencil_cuda.cuh
 * define functions of these names. */
#define IMG_STENCIL_IMPLS(filter)                                                                  \
    {.name = "reference",                                                                          \
     .backend = IMG_BACKEND_CPU,                                                                   \
     .note = "plain C, sample by sample",                                                          \
     .run = filter##_reference},                                                                   \
        {.name = "cpu",                                                                            \
         .backend = IMG_BACKEND_CPU,                                                               \
         .note = "threads, row by row",                                                            \
         .run = filter##_portable},                                                                \
        IMG_X86_IMPLS(filter),                                                                     \
        {.name = "cuda-naive",                                                                     \
         .backend = IMG_BACKEND_CUDA,                                                              \
         .note = "one sample per thread, nine samples read from global memory",                    \
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
         .note = "as cuda-strips, two bytes at a time; sums that rows share are computed once",    \
         .run = IMG_CUDA_RUN(filter##_cuda_fast),                                                  \
         .applies = img_stencil_applies_to_plain},                                                 \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/* Declares the functions that IMG_STENCIL_IMPLS lists. */
#define IMG_STENCIL_FUNCTIONS(filter)                                                              \
    ImgRunFunction filter##_reference, filter##_portable, filter##_avx2, filter##_avx512,          \
        filter##_cuda_naive, filter##_cuda_tiled, filter##_cuda_strips, filter##_cuda_fast

/* Returns the scratch memory, in bytes, of the functions in stencil_source.h. Implements
 * ImgOp.cost.scratch. */
uint64_t img_stencil_scratch(ImgShape src, const void *params, int threads);

/* Returns true if samples have 8 or 16 bits and there is no alpha. Implements ImgImpl.applies. */
bool img_stencil_applies_to_plain(const ImgOp *op, ImgShape src, const void *params);

/* --- Arithmetic of filters -------------------------------------------------------------------- */

/* IEEE 754 defines products, sums and square roots to the last bit. CMakeLists.txt sets the
 * compiler options that forbid fused multiply-add instructions, which round differently. So CPU and
 * GPU give the same results. */

/* Rounds `value`, which must not be negative, to the nearest integer, ties up. Clamps it to
 * `maximum`. */
IMG_HOST_DEVICE uint32_t img_rounded(float value, uint32_t maximum)
{
    const float bound = (float)maximum, whole = value + 0.5F;
    return (uint32_t)(int32_t)(whole < bound ? whole : bound);
}

#ifdef __cplusplus
}
#endif
#endif
