/* Part of point_loops.c: the stage of lookup tables for 8-bit samples with 8-bit results. */
#ifndef IMGTOOL_KERNELS_POINT_POINT_ROWS_BYTES_H
#define IMGTOOL_KERNELS_POINT_POINT_ROWS_BYTES_H

#include <string.h>

#include "kernels/point/points.h"
#include "kernels/simd/simd.h"

enum { BYTES = 256 };

/* Bytes of a group: whole vectors and whole pixels, for any number of channels. */
enum { GROUP_VECTORS = 3, GROUP = GROUP_VECTORS * V_BYTES };

/* The different tables of a stage. For each table except the first, `places` has a mask of the
 * bytes of a group to which the table applies. */
typedef struct Tables {
    VTable table[IMG_POINT_CHANNELS];
    vu8 places[IMG_POINT_CHANNELS][GROUP_VECTORS];
    int32_t count;
} Tables;

/* Fills the mask of a group: all ones in the bytes of the channels in the set `wanted`, zeros in
 * other bytes. The mask repeats every PERIOD bytes, which are whole pixels for any number of
 * channels. */
static void find_places(unsigned wanted, int32_t channels, vu8 places[GROUP_VECTORS])
{
    enum { PERIOD = 24 };
    uint8_t bytes[GROUP];
    for (int32_t i = 0; i < PERIOD; i += channels)
        for (int32_t c = 0; c < channels; c++)
            bytes[i + c] = (wanted >> c & 1) != 0 ? 255 : 0;
    for (int32_t i = PERIOD; i < GROUP; i += PERIOD)
        memcpy(bytes + i, bytes, PERIOD);
    for (int32_t k = 0; k < GROUP_VECTORS; k++)
        places[k] = load_u8(bytes + (size_t)k * V_BYTES);
}

static void find_tables(uint8_t own[][BYTES], int32_t channels, Tables *tables)
{
    unsigned done = 0;
    tables->count = 0;
    for (int32_t c = 0; c < channels; c++) {
        unsigned alike = 1U << c;
        if ((done & alike) != 0)
            continue;
        for (int32_t other = c + 1; other < channels; other++)
            if (memcmp(own[other], own[c], BYTES) == 0)
                alike |= 1U << other;
        done |= alike;
        tables->table[tables->count] = load_table(own[c]);
        if (tables->count > 0)
            find_places(alike, channels, tables->places[tables->count]);
        tables->count++;
    }
}

/* Looks up a group. `first` says whether the first of the `count` tables applies to all bytes; if
 * not, bytes of other tables keep their value. */
static inline void look_up_group(const VTable *table, const vu8 (*places)[GROUP_VECTORS],
                                 int32_t count, bool first, const uint8_t *from, uint8_t *to)
{
    for (int32_t k = 0; k < GROUP_VECTORS; k++) {
        const vu8 bytes = load_u8(from + (size_t)k * V_BYTES);
        vu8 found = first ? look_up_u8(&table[0], bytes) : load_u8(to + (size_t)k * V_BYTES);
        for (int32_t j = first ? 1 : 0; j < count; j++)
            found = (found & ~places[j][k]) | (look_up_u8(&table[j], bytes) & places[j][k]);
        store_u8(to + (size_t)k * V_BYTES, found);
    }
}

/* Looks up `size` bytes, at least a group, in `count` tables from number `from_table` on. The last
 * group ends with the bytes and may overlap the group before it. The tables are copied, because the
 * compiler keeps only copies in registers. */
static inline void look_up_groups(const Tables *tables, int32_t from_table, int32_t count,
                                  const uint8_t *from, uint8_t *to, int32_t size)
{
    VTable table[IMG_POINT_CHANNELS];
    vu8 places[IMG_POINT_CHANNELS][GROUP_VECTORS];
    for (int32_t j = 0; j < count; j++) {
        table[j] = tables->table[from_table + j];
        memcpy(places[j], tables->places[from_table + j], sizeof places[j]);
    }
    for (int32_t i = 0; i < size - GROUP; i += GROUP)
        look_up_group(table, places, count, from_table == 0, from + i, to + i);
    look_up_group(table, places, count, from_table == 0, from + size - GROUP, to + size - GROUP);
}

/* Registers have room for one table at a time if vectors have one lane, and for all tables if
 * vectors are longer. */
static void change_by_vectors(uint8_t own[][BYTES], int32_t channels, const uint8_t *from,
                              uint8_t *to, int32_t size)
{
    Tables tables;
    find_tables(own, channels, &tables);
    if (V_LANES == 1)
        for (int32_t i = 0; i < tables.count; i++)
            look_up_groups(&tables, i, 1, from, to, size);
    else if (tables.count == 1)
        look_up_groups(&tables, 0, 1, from, to, size);
    else if (tables.count == 2)
        look_up_groups(&tables, 0, 2, from, to, size);
    else
        look_up_groups(&tables, 0, tables.count, from, to, size);
}

static void change_one_by_one(uint8_t own[][BYTES], int32_t channels, const uint8_t *restrict from,
                              uint8_t *restrict to, int32_t size)
{
    switch (channels) {
    case 1:
        for (int32_t i = 0; i < size; i++)
            to[i] = own[0][from[i]];
        break;
    case 2:
        for (int32_t i = 0; i < size; i += 2) {
            to[i] = own[0][from[i]];
            to[i + 1] = own[1][from[i + 1]];
        }
        break;
    case 3:
        for (int32_t i = 0; i < size; i += 3) {
            to[i] = own[0][from[i]];
            to[i + 1] = own[1][from[i + 1]];
            to[i + 2] = own[2][from[i + 2]];
        }
        break;
    default:
        for (int32_t i = 0; i < size; i += 4) {
            to[i] = own[0][from[i]];
            to[i + 1] = own[1][from[i + 1]];
            to[i + 2] = own[2][from[i + 2]];
            to[i + 3] = own[3][from[i + 3]];
        }
    }
}

static void change_by_own(uint8_t own[][BYTES], int32_t channels, const uint8_t *from, uint8_t *to,
                          int32_t size)
{
    if (V_HAS_TABLE && size >= GROUP)
        change_by_vectors(own, channels, from, to, size);
    else
        change_one_by_one(own, channels, from, to, size);
}

/* Converts a table of samples to one of bytes. NULL is the identity. */
static void convert_table(const uint16_t *table, int32_t entries, uint8_t own[BYTES])
{
    if (table != NULL && entries == BYTES) {
        for (int32_t v = 0; v < BYTES; v++)
            own[v] = (uint8_t)table[v];
        return;
    }
    for (int32_t v = 0; v < BYTES; v++)
        own[v] = (uint8_t)v;
    for (int32_t v = 0; table != NULL && v < entries; v++)
        own[v] = (uint8_t)table[v];
}

/* Applies a stage of tables to `width` pixels of bytes. */
static void change_bytes(const ImgPointStage *stage, const uint16_t *tables, const uint8_t *from,
                         uint8_t *to, int32_t width)
{
    uint8_t own[IMG_POINT_CHANNELS][BYTES];
    for (int32_t c = 0; c < stage->from; c++)
        convert_table(stage->table[c] >= 0 ? tables + stage->table[c] : NULL, 1 << stage->from_bits,
                      own[c]);
    change_by_own(own, stage->from, from, to, width * stage->from);
}

#endif
