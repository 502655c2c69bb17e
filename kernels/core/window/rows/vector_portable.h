/* Vectors of LANES signed 16-bit samples, and of 32-bit sums. The loops are so simple that every
 * compiler vectorises them, for any vector size. The other files vector_*.h define the same names
 * and can replace this file. */
#ifndef IMGTOOL_KERNELS_CORE_WINDOW_ROWS_VECTOR_PORTABLE_H
#define IMGTOOL_KERNELS_CORE_WINDOW_ROWS_VECTOR_PORTABLE_H

#include <stdint.h>
#include <string.h>

#include "kernels/core/sample.h"

enum { LANES = 32 };

typedef struct Vector {
    int16_t of[LANES];
} Vector;

typedef struct Sums {
    int32_t of[LANES];
} Sums;

/* Loads LANES signed 16-bit samples. */
static inline Vector load_lifted(const int16_t *from)
{
    Vector vector;
    memcpy(vector.of, from, sizeof vector.of);
    return vector;
}

static inline Vector load_bytes(const uint8_t *from)
{
    Vector vector;
    for (int i = 0; i < LANES; i++)
        vector.of[i] = from[i];
    return vector;
}

/* Loads LANES unsigned 16-bit samples and subtracts 32768, so that they become signed. */
static inline Vector load_words(const ImgSample16 *from)
{
    Vector vector;
    for (int i = 0; i < LANES; i++)
        vector.of[i] = (int16_t)(from[i] ^ 0x8000);
    return vector;
}

static inline void sums_start(Sums *sums, int32_t value)
{
    for (int i = 0; i < LANES; i++)
        sums->of[i] = value;
}

/* Adds a * first + b * second to the sums of all lanes. */
static inline void sums_add(Sums *sums, Vector a, Vector b, int16_t first, int16_t second)
{
    for (int i = 0; i < LANES; i++)
        sums->of[i] += a.of[i] * first + b.of[i] * second;
}

/* Stores the sums, shifted right by `shift` bits and saturated to 16 bits. */
static inline void sums_store(const Sums *sums, int32_t shift, int16_t *to)
{
    for (int i = 0; i < LANES; i++) {
        const int32_t value = sums->of[i] >> shift;
        const int32_t low = value < INT16_MIN ? INT16_MIN : value;
        to[i] = (int16_t)(low > INT16_MAX ? INT16_MAX : low);
    }
}

#endif
