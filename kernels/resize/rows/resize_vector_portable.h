/* Vectors of 16 narrow sums (resize.h), as loops that any compiler vectorises. The other files
 * resize_vector_*.h define the same names and may be included instead. */
#ifndef IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_VECTOR_PORTABLE_H
#define IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_VECTOR_PORTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct Sums {
    int32_t of[16];
} Sums;

static inline Sums sums_start(int32_t value)
{
    Sums sums;
    for (int i = 0; i < 16; i++)
        sums.of[i] = value;
    return sums;
}

static inline Sums sums_load(const int32_t *from)
{
    Sums sums;
    memcpy(sums.of, from, sizeof sums.of);
    return sums;
}

/* Adds 16 pairs of samples to the sums; each pair is multiplied by the same pair of weights. */
static inline Sums sums_add(Sums sums, const int16_t *pairs, const int16_t *weights)
{
    for (int i = 0; i < 16; i++)
        sums.of[i] += pairs[2 * i] * weights[0] + pairs[2 * i + 1] * weights[1];
    return sums;
}

enum {
    GROUP = 16,
    /* number of vectors of 16 sums that are computed together; the number of their sums divides
     * IMG_RESIZE_SLICE */
    SUMS = 4,
};

static inline size_t sample_of_pair(size_t i)
{
    return i;
}

static inline void sums_store_16(const Sums sums[1], int32_t shift, int16_t *to)
{
    for (int i = 0; i < 16; i++)
        to[i] = (int16_t)(sums[0].of[i] >> shift);
}

static inline void sums_store_32(Sums sums, int32_t shift, int32_t *to)
{
    for (int i = 0; i < 16; i++)
        to[i] = sums.of[i] >> shift;
}

/* Stores 16 sums as bytes, shifted right by `shift` and clamped to 0..255. */
static inline void sums_store_8(Sums sums, int32_t shift, uint8_t *to)
{
    for (int i = 0; i < 16; i++) {
        const int32_t value = sums.of[i] >> shift;
        to[i] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
    }
}

/* Pairs 16 samples of rows `a` and `b`. If the pixels have alpha, it multiplies colours by alpha,
 * and alpha by 255, and subtracts 32768; `channels` then includes alpha. Without alpha, `channels`
 * is 0. */
static inline void pair_lifted(const uint8_t *a, const uint8_t *b, int32_t channels, int16_t *pairs)
{
    uint8_t of[2][16]; /* a copy, because `pairs` may overlap `a` and `b` */
    memcpy(of[0], a, 16);
    memcpy(of[1], b, 16);
    for (int i = 0; channels == 0 && i < 16; i++) {
        pairs[2 * i] = of[0][i];
        pairs[2 * i + 1] = of[1][i];
    }
    for (int i = 0; channels > 0 && i < 16; i++) {
        const int alpha = i / channels * channels + channels - 1;
        const bool color = i != alpha;
        pairs[2 * i] = (int16_t)(of[0][alpha] * (color ? of[0][i] : 255U) - 32768);
        pairs[2 * i + 1] = (int16_t)(of[1][alpha] * (color ? of[1][i] : 255U) - 32768);
    }
}

/* Pairs the vertical sums of two adjacent pixels, channel by channel, for each of 16 rows. */
static inline void pair_cell(const int16_t *middle, size_t stride, int32_t channels, int16_t *pairs)
{
    for (int32_t c = 0; c < channels; c++)
        for (size_t row = 0; row < 16; row++) {
            pairs[(size_t)c * 32 + 2 * row] = middle[row * stride + (size_t)c];
            pairs[(size_t)c * 32 + 2 * row + 1] =
                middle[row * stride + (size_t)c + (size_t)channels];
        }
}

/* Returns the number of samples that pair_cell converts in each row: those of two pixels. */
static inline size_t cell_size(int32_t channels)
{
    return 2 * (size_t)channels;
}

/* Number of columns, of 16 bytes each, that turn_columns transposes. */
enum { TURNED = 16 };

static inline void turn_columns(const uint8_t *columns, uint8_t *to, size_t stride)
{
    for (size_t row = 0; row < 16; row++)
        for (size_t i = 0; i < 16; i++)
            to[row * stride + i] = columns[i * 16 + row];
}

#endif
