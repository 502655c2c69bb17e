/* Vectors of LANES samples of 16 bits with a sign, and their sums of 32, in what all compilers
 * know. */
#ifndef IMGTOOL_KERNELS_CORE_WINDOW_ROWS_VECTOR_PORTABLE_H
#define IMGTOOL_KERNELS_CORE_WINDOW_ROWS_VECTOR_PORTABLE_H

#include <stdint.h>
#include <string.h>

#include "kernels/core/sample.h"

enum { LANES = 8 };

typedef int16_t Vector __attribute__((vector_size(16)));
typedef uint8_t Bytes __attribute__((vector_size(8)));
typedef int32_t Wide __attribute__((vector_size(32)));

typedef struct Sums {
    Wide all;
} Sums;

/* Samples of 16 bits as they are. */
static inline Vector load_lifted(const int16_t *from)
{
    Vector vector;
    memcpy(&vector, from, sizeof vector);
    return vector;
}

static inline Vector load_bytes(const uint8_t *from)
{
    Bytes bytes;
    memcpy(&bytes, from, sizeof bytes);
    return __builtin_convertvector(bytes, Vector);
}

/* Less 32768. */
static inline Vector load_words(const ImgSample16 *from)
{
    Vector vector;
    memcpy(&vector, from, sizeof vector);
    return vector ^ (int16_t)-32768;
}

static inline void sums_start(Sums *sums, int32_t value)
{
    sums->all = (Wide){value, value, value, value, value, value, value, value};
}

/* a * first + b * second is added. */
static inline void sums_add(Sums *sums, Vector a, Vector b, int16_t first, int16_t second)
{
    sums->all += __builtin_convertvector(a, Wide) * (int32_t)first;
    sums->all += __builtin_convertvector(b, Wide) * (int32_t)second;
}

/* >> shift, cut to 16 bits. */
static inline void sums_store(const Sums *sums, int32_t shift, int16_t *to)
{
    Wide value = sums->all >> shift;
    const Wide above = value > 32767, below = value < -32768;
    value = (value & ~above & ~below) | (above & 32767) | (below & -32768);
    const Vector vector = __builtin_convertvector(value, Vector);
    memcpy(to, &vector, sizeof vector);
}

#endif
