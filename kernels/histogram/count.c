/* The ways to count samples in the tables of one thread (count.h): samples of up to 8 bits, pairs
 * of them, and samples of 16 bits. */
#include <string.h>

#include "kernels/histogram/count.h"

/* --- Samples of up to 8 bits ------------------------------------------------------------------ */

/* The processor can read a counter again only 5 to 8 cycles after
 * it was written. Therefore neighbouring pixels are counted in different copies of the table.
 * Counting a sample takes a load of the sample, a load of its counter, an addition and a store. The
 * speed is limited by one store per cycle, for any content of the picture. */

/* A row of a table is padded by 64 bytes (16 counters). Processors first compare only the low 12
 * bits of addresses. So if rows were a multiple of 4096 bytes apart, loads would wait for stores to
 * other rows. */
enum { ENTRIES = 256, PITCH = ENTRIES + 16, NARROW_LUMA = 512 };

/* Returns the number of copies of the tables, for tables of `rows` rows. It is so large that two
 * stores to the same counter are at least eight stores apart. */
static inline int copies_for(int rows)
{
    return rows == 1 ? 8 : 4;
}

static inline void count_pixel(const uint8_t *pixel, const uint8_t *luma, uint32_t *tables,
                               const int channels, const bool has_luma, const bool skips)
{
    uint32_t one = !skips || pixel[channels - 1] != 0;
    for (int c = 0; c < channels; c++)
        tables[c * PITCH + pixel[c]] += one;
    if (has_luma)
        tables[channels * PITCH + *luma] += one;
}

static inline void count_run(const uint8_t *src, const uint8_t *luma, size_t count,
                             uint32_t *tables, const int channels, const bool has_luma,
                             const bool skips)
{
    const int rows = channels + (has_luma ? 1 : 0), copies = copies_for(rows);
    size_t x = 0;
    for (; x + (size_t)copies <= count; x += (size_t)copies)
        for (int i = 0; i < copies; i++)
            count_pixel(src + (x + (size_t)i) * (size_t)channels, luma + x + i,
                        tables + i * rows * PITCH, channels, has_luma, skips);
    for (; x < count; x++)
        count_pixel(src + x * (size_t)channels, luma + x, tables, channels, has_luma, skips);
}

typedef void CountRun(const uint8_t *src, const uint8_t *luma, size_t count, uint32_t *tables);

/* Defines a function that counts a run of pixels. There is one for each number of channels, with
 * and without luma and skipping, so that the compiler can unroll the loop over pixels. */
#define DEFINE_COUNT(name, channels, has_luma, skips)                                              \
    static void name(const uint8_t *src, const uint8_t *luma, size_t count, uint32_t *tables)      \
    {                                                                                              \
        count_run(src, luma, count, tables, channels, has_luma, skips);                            \
    }

DEFINE_COUNT(count_1, 1, false, false)
DEFINE_COUNT(count_2, 2, false, false)
DEFINE_COUNT(count_2_skipping, 2, false, true)
DEFINE_COUNT(count_3, 3, false, false)
DEFINE_COUNT(count_3_and_luma, 3, true, false)
DEFINE_COUNT(count_4, 4, false, false)
DEFINE_COUNT(count_4_skipping, 4, false, true)
DEFINE_COUNT(count_4_and_luma, 4, true, false)
DEFINE_COUNT(count_4_and_luma_skipping, 4, true, true)

static CountRun *loop_for(const ImgCountJob *job)
{
    static CountRun *const loops[4][2][2] = {
        {{count_1, NULL}, {NULL, NULL}},
        {{count_2, count_2_skipping}, {NULL, NULL}},
        {{count_3, NULL}, {count_3_and_luma, NULL}},
        {{count_4, count_4_skipping}, {count_4_and_luma, count_4_and_luma_skipping}},
    };
    return loops[job->channels - 1][job->has_luma][job->skips];
}

static size_t narrow_bytes(const ImgCountJob *job)
{
    return (size_t)copies_for(job->rows) * (size_t)job->rows * PITCH * sizeof(uint32_t);
}

static void narrow_count(const ImgCountJob *job, int64_t first, int64_t end, void *tables)
{
    uint8_t luma[NARROW_LUMA];
    CountRun *loop = loop_for(job);
    while (first < end) {
        ImgRun run = img_run_at(job, first, end, NARROW_LUMA);
        if (job->has_luma)
            job->luma_row(run.src, run.count, job->weights, luma);
        loop(run.src, luma, run.count, tables);
        first += (int64_t)run.count;
    }
}

static void narrow_add(const ImgCountJob *job, const void *tables, int row, int32_t first,
                       int32_t end, uint64_t *counts)
{
    for (int i = 0; i < copies_for(job->rows); i++) {
        const uint32_t *from = (const uint32_t *)tables + (i * job->rows + row) * PITCH;
        for (int32_t v = first; v < end; v++)
            counts[v] += from[v];
    }
}

const ImgCountLoops img_count_narrow = {narrow_bytes, narrow_count, NULL, narrow_add};

/* --- A table for 65536 values ----------------------------------------------------------------- */

/* To fit the first-level cache, its counters are bytes, and overflows are
 * counted in a second table. Several copies of the table would not fit the cache. Instead,
 * successive equal values, which are frequent in flat areas, are counted with one addition. */

enum { TABLE_ENTRIES = 65536 };

typedef struct CountTable {
    uint8_t low[TABLE_ENTRIES]; /* counts, modulo 256 */
    /* number of overflows of each counter in `low`; rarely written */
    uint32_t carry[TABLE_ENTRIES];
} CountTable;

static inline uint64_t table_count(const CountTable *table, size_t value)
{
    return table->low[value] + ((uint64_t)table->carry[value] << 8);
}

/* Returns the 16-bit value at any address, in native byte order. */
static inline uint32_t table_load(const uint8_t *src)
{
    uint16_t value;
    memcpy(&value, src, sizeof value);
    return value;
}

static inline void table_add(CountTable *table, uint32_t value, uint8_t times)
{
    if (__builtin_expect(__builtin_add_overflow(table->low[value], times, &table->low[value]), 0))
        table->carry[value]++;
}

static inline void table_add_many(CountTable *table, uint32_t value, size_t times)
{
    table->carry[value] += (uint32_t)(times >> 8);
    table_add(table, value, (uint8_t)times);
}

/* Counts `count` values that are adjacent in memory. */
static inline void table_count_packed(CountTable *table, const uint8_t *src, size_t count)
{
    enum { GROUP = 4, BYTES = GROUP * sizeof(uint16_t) };
    size_t groups = count / GROUP, g = 0;
    while (g < groups) {
        uint64_t group, next;
        memcpy(&group, src + g * BYTES, sizeof group);
        size_t start = g++;
        if (__builtin_expect(group != (group << 16 | group >> 48), 1)) {
            for (size_t k = 0; k < GROUP; k++)
                table_add(table, table_load(src + start * BYTES + 2 * k), 1);
            continue;
        }
        for (; g < groups; g++) {
            memcpy(&next, src + g * BYTES, sizeof next);
            if (next != group)
                break;
        }
        table_add_many(table, (uint32_t)(group & 0xffff), (g - start) * GROUP);
    }
    for (size_t i = groups * GROUP; i < count; i++)
        table_add(table, table_load(src + 2 * i), 1);
}

/* --- Pairs of 8-bit samples ------------------------------------------------------------------- */

/* Counts two 8-bit samples at a time: two neighbouring pixels of one channel, or gray and its
 * alpha. A pair is one of 65536 values, so counting it takes one store instead of two. At the end,
 * the counts of pairs are added up to counts of samples. */

static size_t pairs_bytes(const ImgCountJob *job)
{
    return sizeof(CountTable) + (size_t)job->rows * ENTRIES * sizeof(uint32_t);
}

/* Returns the tables for single samples, one per row of the result. They count pixels that are not
 * part of a pair, and at the end they receive the sums over pairs. */
static uint32_t *singles_of(void *tables)
{
    return (uint32_t *)((CountTable *)tables + 1);
}

/* Returns the value that represents a pair of samples. On little-endian processors, the sample that
 * comes first in memory is its low byte. */
static size_t value_of(uint8_t first, uint8_t second)
{
    const uint8_t pair[2] = {first, second};
    return table_load(pair);
}

/* Adds up the counts of pairs to counts of samples. If pixels with alpha 0 are skipped, it leaves
 * out pairs whose second sample, alpha, is 0. */
static void add_up_pairs(const ImgCountJob *job, const CountTable *table, uint32_t *singles)
{
    uint32_t *of_first = singles, *of_second = singles + (job->channels == 2 ? ENTRIES : 0);
    for (int a = 0; a < ENTRIES; a++) {
        for (int b = job->skips ? 1 : 0; b < ENTRIES; b++) {
            uint32_t count = (uint32_t)table_count(table, value_of((uint8_t)a, (uint8_t)b));
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
        table_count_packed(tables, run.src, bytes / 2);
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
    const uint32_t *from = (const uint32_t *)((const CountTable *)tables + 1) + row * ENTRIES;
    for (int32_t v = first; v < end; v++)
        counts[v] += from[v];
}

const ImgCountLoops img_count_pairs = {pairs_bytes, pairs_count, pairs_finish, pairs_add};

/* --- Samples of 16 bits ----------------------------------------------------------------------- */

/* Counts one channel at a time, over a block of pixels that stays in the
 * second-level cache. If it counted all channels at once, their tables would evict each other from
 * the first-level cache. */

enum { BLOCK = 1 << 15, WIDE_LUMA = 2048, GROUP = 4 };

/* Samples of one channel, whose addresses are `step` bytes apart. If transparent pixels are
 * skipped, their alphas are `alpha_step` bytes apart. */
typedef struct Samples {
    const uint8_t *src, *alpha;
    size_t step, alpha_step;
} Samples;

typedef void CountSamples(Samples s, size_t count, CountTable *table);

static inline void count_samples(Samples s, size_t count, CountTable *table, const bool skips)
{
    size_t i = 0;
    for (; i + GROUP <= count; i += GROUP) {
        uint32_t value[GROUP], differences = 0;
        uint8_t times[GROUP];
        for (size_t k = 0; k < GROUP; k++) {
            value[k] = table_load(s.src + (i + k) * s.step);
            differences |= value[k] ^ value[0];
            times[k] = !skips || table_load(s.alpha + (i + k) * s.alpha_step) != 0;
        }
        if (__builtin_expect(differences == 0, 0)) {
            table_add(table, value[0], times[0] + times[1] + times[2] + times[3]);
            continue;
        }
        for (size_t k = 0; k < GROUP; k++)
            table_add(table, value[k], times[k]);
    }
    for (; i < count; i++)
        table_add(table, table_load(s.src + i * s.step),
                  !skips || table_load(s.alpha + i * s.alpha_step) != 0);
}

static void count_all(Samples s, size_t count, CountTable *table)
{
    if (s.step == sizeof(uint16_t))
        table_count_packed(table, s.src, count);
    else
        count_samples(s, count, table, false);
}

static void count_visible(Samples s, size_t count, CountTable *table)
{
    count_samples(s, count, table, true);
}

/* Counts row `row` of the table: a channel or luma, over the pixels `first` to `end` - 1. These
 * pixels may be in many short runs. */
static void count_row(const ImgCountJob *job, int row, int64_t first, int64_t end,
                      CountTable *table)
{
    uint16_t luma[WIDE_LUMA];
    bool is_luma = row == job->channels;
    CountSamples *count = job->skips ? count_visible : count_all;
    size_t last_channel = (size_t)(job->channels - 1);
    while (first < end) {
        ImgRun run = img_run_at(job, first, end, is_luma ? WIDE_LUMA : BLOCK);
        Samples s = {.src = run.src + (size_t)row * sizeof *luma,
                     .alpha = run.src + last_channel * sizeof *luma,
                     .step = job->pixel_size,
                     .alpha_step = job->pixel_size};
        if (is_luma) {
            job->luma_row(run.src, run.count, job->weights, luma);
            s.src = (const uint8_t *)luma;
            s.step = sizeof *luma;
        }
        count(s, run.count, table);
        first += (int64_t)run.count;
    }
}

static size_t wide_bytes(const ImgCountJob *job)
{
    return (size_t)job->rows * sizeof(CountTable);
}

static void wide_count(const ImgCountJob *job, int64_t first, int64_t end, void *tables)
{
    for (; first < end; first += BLOCK)
        for (int row = 0; row < job->rows; row++)
            count_row(job, row, first, end - first < BLOCK ? end : first + BLOCK,
                      (CountTable *)tables + row);
}

static void wide_add(const ImgCountJob *job, const void *tables, int row, int32_t first,
                     int32_t end, uint64_t *counts)
{
    (void)job;
    for (int32_t v = first; v < end; v++)
        counts[v] += table_count((const CountTable *)tables + row, (size_t)v);
}

const ImgCountLoops img_count_wide = {wide_bytes, wide_count, NULL, wide_add};
