/* Vectors of 16 wide sums (resize.h) of 64 bits, as loops that any compiler vectorises.
 * resize_wide_avx2.h and resize_wide_avx512.h define the same names and may be included instead. */
#ifndef IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_WIDE_PORTABLE_H
#define IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_WIDE_PORTABLE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { LANES = 16, TOGETHER = 1 };

typedef struct Wide {
    int64_t of[LANES];
} Wide;

static inline Wide wide_start(int64_t value)
{
    Wide wide;
    for (int i = 0; i < LANES; i++)
        wide.of[i] = value;
    return wide;
}

static inline Wide wide_load(const int64_t *from)
{
    Wide wide;
    memcpy(wide.of, from, sizeof wide.of);
    return wide;
}

static inline void wide_store(Wide wide, int64_t *to)
{
    memcpy(to, wide.of, sizeof wide.of);
}

/* Adds 16 values to the sums, each multiplied by `weight` and by 2^places. */
static inline Wide wide_add(Wide wide, const int32_t *values, int32_t weight, int32_t places)
{
    for (int i = 0; i < LANES; i++)
        wide.of[i] += (int64_t)weight * values[i] * (INT64_C(1) << places);
    return wide;
}

/* wide_store_32 and wide_store_64 store 16 sums, shifted right by `shift`, as values of 32 or of 64
 * bits. Sums must be below 2^61. */
static inline void wide_store_32(Wide wide, int32_t shift, int32_t *to)
{
    for (int i = 0; i < LANES; i++)
        to[i] = (int32_t)(wide.of[i] >> shift);
}

static inline void wide_store_64(Wide wide, int32_t shift, int64_t *to)
{
    for (int i = 0; i < LANES; i++)
        to[i] = wide.of[i] >> shift;
}

/* Stores 16 sums as samples of 16 bits, shifted right by `shift` and clamped to 0..65535. Lower and
 * upper bytes are stored separately. */
static inline void wide_store_16(Wide wide, int32_t shift, uint8_t *lower, uint8_t *upper)
{
    for (int i = 0; i < LANES; i++) {
        const int64_t value = wide.of[i] >> shift;
        const uint32_t sample = (uint32_t)(value < 0 ? 0 : value > 65535 ? 65535 : value);
        lower[i] = (uint8_t)sample;
        upper[i] = (uint8_t)(sample >> 8);
    }
}

/* Transposes 16 samples of each of 16 rows to columns. The rows are `stride` samples apart. */
static inline void turn_words(const int32_t *rows, size_t stride, int32_t *columns)
{
    for (size_t row = 0; row < LANES; row++)
        for (size_t i = 0; i < LANES; i++)
            columns[i * LANES + row] = rows[row * stride + i];
}

#endif
