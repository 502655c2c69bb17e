/* A table for 65536 values. To fit the first-level cache, its counters are bytes, and overflows are
 * counted in a second table. Several copies of the table would not fit the cache. Instead,
 * successive equal values, which are frequent in flat areas, are counted with one addition. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_COUNT_TABLE_H
#define IMGTOOL_KERNELS_HISTOGRAM_COUNT_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { IMG_TABLE_ENTRIES = 65536 };

typedef struct ImgCountTable {
    uint8_t low[IMG_TABLE_ENTRIES]; /* counts, modulo 256 */
    /* number of overflows of each counter in `low`; rarely written */
    uint32_t carry[IMG_TABLE_ENTRIES];
} ImgCountTable;

static inline uint64_t img_table_count(const ImgCountTable *table, size_t value)
{
    return table->low[value] + ((uint64_t)table->carry[value] << 8);
}

/* Returns the 16-bit value at any address, in native byte order. */
static inline uint32_t img_table_load(const uint8_t *src)
{
    uint16_t value;
    memcpy(&value, src, sizeof value);
    return value;
}

static inline void img_table_add(ImgCountTable *table, uint32_t value, uint8_t times)
{
    if (__builtin_expect(__builtin_add_overflow(table->low[value], times, &table->low[value]), 0))
        table->carry[value]++;
}

static inline void img_table_add_many(ImgCountTable *table, uint32_t value, size_t times)
{
    table->carry[value] += (uint32_t)(times >> 8);
    img_table_add(table, value, (uint8_t)times);
}

/* Counts `count` values that are adjacent in memory. */
static inline void img_table_count_packed(ImgCountTable *table, const uint8_t *src, size_t count)
{
    enum { GROUP = 4, BYTES = GROUP * sizeof(uint16_t) };
    size_t groups = count / GROUP, g = 0;
    while (g < groups) {
        uint64_t group, next;
        memcpy(&group, src + g * BYTES, sizeof group);
        size_t start = g++;
        if (__builtin_expect(group != (group << 16 | group >> 48), 1)) {
            for (size_t k = 0; k < GROUP; k++)
                img_table_add(table, img_table_load(src + start * BYTES + 2 * k), 1);
            continue;
        }
        for (; g < groups; g++) {
            memcpy(&next, src + g * BYTES, sizeof next);
            if (next != group)
                break;
        }
        img_table_add_many(table, (uint32_t)(group & 0xffff), (g - start) * GROUP);
    }
    for (size_t i = groups * GROUP; i < count; i++)
        img_table_add(table, img_table_load(src + 2 * i), 1);
}

#endif
