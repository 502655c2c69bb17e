/* Counting 16-bit samples. A table of 65536 counters is larger than the first-level cache unless
 * counters are bytes; so they are, and what overflows is carried to a second table. One channel at
 * a time is counted, over a block of pixels that stays in the second-level cache: the tables of all
 * of them would push each other out. There is no room for copies of a table either; instead, four
 * equal samples, the rule in flat areas, are counted as one. */
#include <string.h>

#include "kernels/histogram/count.h"

enum { ENTRIES = 65536, BLOCK = 1 << 15, LUMA_RUN = 2048, GROUP = 4 };

typedef struct Table {
    uint8_t low[ENTRIES];    /* counts modulo 256 */
    uint32_t carry[ENTRIES]; /* how often they passed 255: rarely written */
} Table;

/* Every `step` bytes a sample; where pixels may be skipped, also every `alpha_step` its alpha. */
typedef struct Samples {
    const uint8_t *src, *alpha;
    size_t step, alpha_step;
} Samples;

static inline uint32_t load(const uint8_t *src)
{
    uint16_t sample;
    memcpy(&sample, src, sizeof sample);
    return sample;
}

static inline void count_sample(Table *table, uint32_t value, uint8_t times)
{
    if (__builtin_expect(__builtin_add_overflow(table->low[value], times, &table->low[value]), 0))
        table->carry[value]++;
}

static inline void count_samples(Samples s, size_t count, Table *table, const bool skips)
{
    size_t i = 0;
    for (; i + GROUP <= count; i += GROUP) {
        uint32_t value[GROUP], differences = 0;
        uint8_t times[GROUP];
        for (size_t k = 0; k < GROUP; k++) {
            value[k] = load(s.src + (i + k) * s.step);
            differences |= value[k] ^ value[0];
            times[k] = !skips || load(s.alpha + (i + k) * s.alpha_step) != 0;
        }
        if (__builtin_expect(differences == 0, 0)) {
            count_sample(table, value[0], times[0] + times[1] + times[2] + times[3]);
            continue;
        }
        for (size_t k = 0; k < GROUP; k++)
            count_sample(table, value[k], times[k]);
    }
    for (; i < count; i++)
        count_sample(table, load(s.src + i * s.step),
                     !skips || load(s.alpha + i * s.alpha_step) != 0);
}

static void count_all(Samples s, size_t count, Table *table)
{
    count_samples(s, count, table, false);
}

static void count_visible(Samples s, size_t count, Table *table)
{
    count_samples(s, count, table, true);
}

/* `row` of the table, over pixels that may be many short runs. */
static void count_row(const ImgCountJob *job, int row, int64_t first, int64_t end, Table *table)
{
    uint16_t luma[LUMA_RUN];
    bool is_luma = row == job->channels;
    void (*count)(Samples, size_t, Table *) = job->skips ? count_visible : count_all;
    size_t last_channel = (size_t)(job->channels - 1);
    while (first < end) {
        ImgRun run = img_run_at(job, first, end, LUMA_RUN);
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

static size_t wide_bytes(int rows)
{
    return (size_t)rows * sizeof(Table);
}

static void wide_count(const ImgCountJob *job, int64_t first, int64_t end, void *tables)
{
    for (; first < end; first += BLOCK)
        for (int row = 0; row < job->rows; row++)
            count_row(job, row, first, end - first < BLOCK ? end : first + BLOCK,
                      (Table *)tables + row);
}

static void wide_add(const ImgCountJob *job, const void *tables, int row, int32_t first,
                     int32_t end, uint64_t *counts)
{
    (void)job;
    const Table *table = (const Table *)tables + row;
    for (int32_t v = first; v < end; v++)
        counts[v] += table->low[v] + ((uint64_t)table->carry[v] << 8);
}

const ImgCountLoops img_count_wide = {wide_bytes, wide_count, wide_add};
