/* Computes rows of medians. This file is compiled once for each instruction set
 * (core/parallel/cpu.h). */
#if defined(__AVX2__)
#include <immintrin.h>
#endif
#include <stdint.h>

#include "kernels/core/parallel/cpu.h"
#include "kernels/median/median_rows.h"

/* --- Minimum and maximum of vectors of unsigned integers -------------------------------------- */

/* Vector is the widest vector type of the instruction set for which this file is compiled. */

#if defined(__AVX512BW__)
typedef __m512i Vector;
#define MINIMUM_8(a, b)  _mm512_min_epu8(a, b)
#define MAXIMUM_8(a, b)  _mm512_max_epu8(a, b)
#define MINIMUM_16(a, b) _mm512_min_epu16(a, b)
#define MAXIMUM_16(a, b) _mm512_max_epu16(a, b)
#define LOAD(p)          _mm512_loadu_si512(p)
#define STORE(p, v)      _mm512_storeu_si512(p, v)
#elif defined(__AVX2__)
typedef __m256i Vector;
#define MINIMUM_8(a, b)  _mm256_min_epu8(a, b)
#define MAXIMUM_8(a, b)  _mm256_max_epu8(a, b)
#define MINIMUM_16(a, b) _mm256_min_epu16(a, b)
#define MAXIMUM_16(a, b) _mm256_max_epu16(a, b)
#define LOAD(p)          _mm256_loadu_si256((const __m256i *)(p))
#define STORE(p, v)      _mm256_storeu_si256((__m256i *)(p), v)
#else
/* Vectors with the compiler's vector extensions, for all other processors. */
typedef uint8_t Bytes __attribute__((vector_size(16)));
typedef uint16_t Shorts __attribute__((vector_size(16)));
typedef Bytes Vector;
typedef Bytes Unaligned __attribute__((aligned(1), may_alias));
static inline Vector minimum_8(Vector a, Vector b)
{
    const Bytes less = (Bytes)(a < b);
    return (a & less) | (b & ~less);
}
static inline Vector maximum_8(Vector a, Vector b)
{
    const Bytes less = (Bytes)(a < b);
    return (b & less) | (a & ~less);
}
static inline Vector minimum_16(Vector a, Vector b)
{
    const Bytes less = (Bytes)((Shorts)a < (Shorts)b);
    return (a & less) | (b & ~less);
}
static inline Vector maximum_16(Vector a, Vector b)
{
    const Bytes less = (Bytes)((Shorts)a < (Shorts)b);
    return (b & less) | (a & ~less);
}
#define MINIMUM_8(a, b)  minimum_8(a, b)
#define MAXIMUM_8(a, b)  maximum_8(a, b)
#define MINIMUM_16(a, b) minimum_16(a, b)
#define MAXIMUM_16(a, b) maximum_16(a, b)
#define LOAD(p)          (*(const Unaligned *)(p))
#define STORE(p, v)      (*(Unaligned *)(p) = (v))
#endif

#define NAME(word) word##_8
#define MINIMUM    MINIMUM_8
#define MAXIMUM    MAXIMUM_8
#include "kernels/median/median_small_source.h"
/* This include must follow median_small_source.h, whose functions it calls. */
#include "kernels/median/median_network_source.h"

#define NAME(word) word##_16
#define MINIMUM    MINIMUM_16
#define MAXIMUM    MAXIMUM_16
#include "kernels/median/median_small_source.h"
/* This include must follow median_small_source.h, whose functions it calls. */
#include "kernels/median/median_network_source.h"

void IMG_VARIANT(img_median_network)(const ImgMedianTile *tile, uint8_t *to)
{
    if (tile->bytes == 1)
        network_8(tile, to);
    else
        network_16(tile, to);
}

#include "kernels/median/median_counts_source.h"
