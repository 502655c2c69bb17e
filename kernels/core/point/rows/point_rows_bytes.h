/* Part of point_loops.c: the stage of lookup tables for 8-bit samples with 8-bit results. */
#ifndef IMGTOOL_KERNELS_CORE_POINT_ROWS_POINT_ROWS_BYTES_H
#define IMGTOOL_KERNELS_CORE_POINT_ROWS_POINT_ROWS_BYTES_H

#include <string.h>

#include "kernels/core/point/points.h"

enum { BYTES = 256 };

#ifdef __AVX512VBMI__
#include <immintrin.h>

enum {
    VECTOR = 64,
    VECTORS = 3 /* vectors that together contain whole pixels, for any number of channels */
};

/* A table of 256 bytes in four registers. */
typedef struct Table {
    __m512i of[4];
} Table;

static inline Table load_table(const uint8_t *entries)
{
    Table table;
    for (int i = 0; i < 4; i++)
        table.of[i] = _mm512_loadu_si512(entries + i * VECTOR);
    return table;
}

/* Looks up 64 bytes. The low seven bits of a byte are the index: the first instruction looks it up
 * in the first half of the table, the second in the second half. The highest bit of each byte
 * selects the result. */
static inline __m512i look_up(const Table *table, __m512i bytes)
{
    const __m512i low = _mm512_permutex2var_epi8(table->of[0], bytes, table->of[1]);
    const __m512i high = _mm512_permutex2var_epi8(table->of[2], bytes, table->of[3]);
    return _mm512_mask_mov_epi8(low, _mm512_movepi8_mask(bytes), high);
}

/* Returns a mask of the bytes that belong to channel `c`, in vector number `vector` of VECTORS. */
static inline __mmask64 places_of(int32_t c, int32_t channels, int32_t vector)
{
    static const uint64_t every[] = {UINT64_MAX, 0x5555555555555555, 0x9249249249249249,
                                     0x1111111111111111};
    const int32_t first = ((c - vector * VECTOR) % channels + channels) % channels;
    return every[channels - 1] << first;
}

static inline __mmask64 first_bytes(int32_t count)
{
    return count >= VECTOR ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
}

/* The different tables of a stage, and for each one a mask of the bytes to which it applies. */
typedef struct Tables {
    Table table[IMG_POINT_CHANNELS];
    __mmask64 places[IMG_POINT_CHANNELS][VECTORS];
    int32_t count;
} Tables;

static void find_tables(uint8_t own[][BYTES], int32_t channels, Tables *tables)
{
    int32_t channel_of[IMG_POINT_CHANNELS];
    tables->count = 0;
    memset(tables->places, 0, sizeof tables->places);
    for (int32_t c = 0; c < channels; c++) {
        int32_t i = 0;
        while (i < tables->count && memcmp(own[channel_of[i]], own[c], BYTES) != 0)
            i++;
        if (i == tables->count) {
            channel_of[tables->count++] = c;
            tables->table[i] = load_table(own[c]);
        }
        for (int32_t k = 0; k < VECTORS; k++)
            tables->places[i][k] |= places_of(c, channels, k);
    }
}

static inline void look_up_all(const Tables *tables, int32_t count, const uint8_t *from,
                               uint8_t *to, int32_t size)
{
    for (int32_t i = 0; i < size; i += VECTORS * VECTOR)
        for (int32_t k = 0; k < VECTORS && i + k * VECTOR < size; k++) {
            const int32_t at = i + k * VECTOR;
            const __mmask64 there = first_bytes(size - at);
            const __m512i bytes = _mm512_maskz_loadu_epi8(there, from + at);
            __m512i found = look_up(&tables->table[0], bytes);
            for (int32_t j = 1; j < count; j++)
                found = _mm512_mask_mov_epi8(found, tables->places[j][k],
                                             look_up(&tables->table[j], bytes));
            _mm512_mask_storeu_epi8(to + at, there, found);
        }
}

static void change_by_own(uint8_t own[][BYTES], int32_t channels, const uint8_t *from, uint8_t *to,
                          int32_t size)
{
    Tables tables;
    find_tables(own, channels, &tables);
    if (tables.count == 1)
        look_up_all(&tables, 1, from, to, size);
    else if (tables.count == 2)
        look_up_all(&tables, 2, from, to, size);
    else
        look_up_all(&tables, tables.count, from, to, size);
}
#elif defined(IMGTOOL_NEON)
#include "kernels/core/point/rows/point_rows_bytes_neon.h"
#else
static void change_by_own(uint8_t own[][BYTES], int32_t channels, const uint8_t *restrict from,
                          uint8_t *restrict to, int32_t count)
{
    switch (channels) {
    case 1:
        for (int32_t i = 0; i < count; i++)
            to[i] = own[0][from[i]];
        break;
    case 2:
        for (int32_t i = 0; i < count; i += 2) {
            to[i] = own[0][from[i]];
            to[i + 1] = own[1][from[i + 1]];
        }
        break;
    case 3:
        for (int32_t i = 0; i < count; i += 3) {
            to[i] = own[0][from[i]];
            to[i + 1] = own[1][from[i + 1]];
            to[i + 2] = own[2][from[i + 2]];
        }
        break;
    default:
        for (int32_t i = 0; i < count; i += 4) {
            to[i] = own[0][from[i]];
            to[i + 1] = own[1][from[i + 1]];
            to[i + 2] = own[2][from[i + 2]];
            to[i + 3] = own[3][from[i + 3]];
        }
    }
}
#endif

/* Applies a stage of tables to `width` pixels of bytes. Channels that do not change get an identity
 * table. */
static void change_bytes(const ImgPointStage *stage, const uint16_t *tables, const uint8_t *from,
                         uint8_t *to, int32_t width)
{
    uint8_t own[IMG_POINT_CHANNELS][BYTES];
    const int32_t entries = 1 << stage->from_bits;
    for (int32_t c = 0; c < stage->from; c++) {
        for (int32_t v = 0; v < BYTES; v++)
            own[c][v] = (uint8_t)v;
        const uint16_t *table = stage->table[c] >= 0 ? tables + stage->table[c] : NULL;
        for (int32_t v = 0; table != NULL && v < entries; v++)
            own[c][v] = (uint8_t)table[v];
    }
    change_by_own(own, stage->from, from, to, width * stage->from);
}

#endif
