/* Part of point_rows_bytes.h: tables of bytes in NEON registers. A table consists of four quarters
 * of 64 bytes; each quarter takes four registers. */
#ifndef IMGTOOL_KERNELS_CORE_POINT_ROWS_POINT_ROWS_BYTES_NEON_H
#define IMGTOOL_KERNELS_CORE_POINT_ROWS_POINT_ROWS_BYTES_NEON_H

#include <arm_neon.h>

enum {
    VECTOR = 16,
    VECTORS = 3, /* vectors that together contain whole pixels, for any number of channels */
    GROUP = VECTORS * VECTOR, /* bytes per group */
    BLOCK = 64 * GROUP /* bytes that stay in the first-level cache from one table to the next */
};

typedef struct Table {
    uint8x16x4_t of[4];
} Table;

static inline Table load_table(const uint8_t *entries)
{
    Table table;
    for (int i = 0; i < 4; i++)
        table.of[i] = vld1q_u8_x4(entries + i * 64);
    return table;
}

/* Looks up 16 bytes, with one instruction for each quarter of the table. The first instruction
 * returns zero for indices outside its quarter. Each further instruction leaves a byte of the
 * result unchanged if the index is outside its own quarter. */
static inline uint8x16_t look_up(const Table *table, uint8x16_t bytes)
{
    const uint8x16_t quarter = vdupq_n_u8(64);
    uint8x16_t found = vqtbl4q_u8(table->of[0], bytes);
    for (int i = 1; i < 4; i++) {
        bytes = vsubq_u8(bytes, quarter);
        found = vqtbx4q_u8(found, table->of[i], bytes);
    }
    return found;
}

/* Returns a vector with all ones in the bytes of the channels in the set `wanted`, for vector
 * number `vector` of VECTORS. */
static uint8x16_t places_of(unsigned wanted, int32_t channels, int32_t vector)
{
    uint8_t places[VECTOR];
    for (int32_t i = 0; i < VECTOR; i++)
        places[i] = (wanted >> ((vector * VECTOR + i) % channels) & 1) != 0 ? 255 : 0;
    return vld1q_u8(places);
}

/* Looks up the bytes of the channels in the set `wanted`. `count` must be a multiple of GROUP. */
static void look_up_groups(const uint8_t *entries, unsigned wanted, int32_t channels,
                           const uint8_t *restrict from, uint8_t *restrict to, int32_t count)
{
    const Table table = load_table(entries);
    uint8x16_t places[VECTORS];
    for (int32_t k = 0; k < VECTORS; k++)
        places[k] = places_of(wanted, channels, k);
    for (int32_t i = 0; i < count; i += GROUP)
        for (int32_t k = 0; k < VECTORS; k++) {
            const int32_t at = i + k * VECTOR;
            const uint8x16_t found = look_up(&table, vld1q_u8(from + at));
            vst1q_u8(to + at, vbslq_u8(places[k], found, vld1q_u8(to + at)));
        }
}

/* Returns the set of channels whose tables equal that of channel `c`. */
static unsigned alike(uint8_t own[][BYTES], int32_t channels, int32_t c)
{
    unsigned wanted = 0;
    for (int32_t other = 0; other < channels; other++)
        if (memcmp(own[other], own[c], BYTES) == 0)
            wanted |= 1U << other;
    return wanted;
}

static void change_by_own(uint8_t own[][BYTES], int32_t channels, const uint8_t *restrict from,
                          uint8_t *restrict to, int32_t size)
{
    const int32_t whole = size - size % GROUP;
    for (int32_t i = 0; i < whole; i += BLOCK) {
        const int32_t count = whole - i < BLOCK ? whole - i : BLOCK;
        unsigned done = 0;
        for (int32_t c = 0; c < channels; c++) {
            const unsigned wanted = alike(own, channels, c);
            if ((done & wanted) == 0)
                look_up_groups(own[c], wanted, channels, from + i, to + i, count);
            done |= wanted;
        }
    }
    for (int32_t i = whole; i < size; i++)
        to[i] = own[i % channels][from[i]];
}

#endif
