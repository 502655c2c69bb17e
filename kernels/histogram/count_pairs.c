/* Counts two 8-bit samples at a time: two neighbouring pixels of one channel, or gray and its
 * alpha. A pair is one of 65536 values, so counting it takes one store instead of two. At the end,
 * the counts of pairs are added up to counts of samples. */
#include "kernels/histogram/count.h"
#include "kernels/histogram/count_table.h"

enum { ENTRIES = 256 };

static size_t pairs_bytes(const ImgCountJob *job)
{
    return sizeof(ImgCountTable) + (size_t)job->rows * ENTRIES * sizeof(uint32_t);
}

/* Returns the tables for single samples, one per row of the result. They count pixels that are not
 * part of a pair, and at the end they receive the sums over pairs. */
static uint32_t *singles_of(void *tables)
{
    return (uint32_t *)((ImgCountTable *)tables + 1);
}

/* Returns the value that represents a pair of samples. On little-endian processors, the sample that
 * comes first in memory is its low byte. */
static size_t value_of(uint8_t first, uint8_t second)
{
    const uint8_t pair[2] = {first, second};
    return img_table_load(pair);
}

/* Adds up the counts of pairs to counts of samples. If pixels with alpha 0 are skipped, it leaves
 * out pairs whose second sample, alpha, is 0. */
static void add_up_pairs(const ImgCountJob *job, const ImgCountTable *table, uint32_t *singles)
{
    uint32_t *of_first = singles, *of_second = singles + (job->channels == 2 ? ENTRIES : 0);
    for (int a = 0; a < ENTRIES; a++) {
        for (int b = job->skips ? 1 : 0; b < ENTRIES; b++) {
            uint32_t count = (uint32_t)img_table_count(table, value_of((uint8_t)a, (uint8_t)b));
            of_first[a] += count;
            of_second[b] += count;
        }
    }
}

static void pairs_count(const ImgCountJob *job, int64_t first, int64_t end, void *tables)
{
    while (first < end) {
        ImgRun run = img_run_at(job, first, end, IMG_COUNT_PIXELS_MAX);
        size_t bytes = run.count * job->pixel_size;
        img_table_count_packed(tables, run.src, bytes / 2);
        if (bytes % 2 == 1)
            singles_of(tables)[run.src[bytes - 1]]++;
        first += (int64_t)run.count;
    }
}

static void pairs_finish(const ImgCountJob *job, void *tables)
{
    add_up_pairs(job, tables, singles_of(tables));
}

static void pairs_add(const ImgCountJob *job, const void *tables, int row, int32_t first,
                      int32_t end, uint64_t *counts)
{
    (void)job;
    const uint32_t *from = (const uint32_t *)((const ImgCountTable *)tables + 1) + row * ENTRIES;
    for (int32_t v = first; v < end; v++)
        counts[v] += from[v];
}

const ImgCountLoops img_count_pairs = {pairs_bytes, pairs_count, pairs_finish, pairs_add};
