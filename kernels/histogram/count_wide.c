/* Counts 16-bit samples. It counts one channel at a time, over a block of pixels that stays in the
 * second-level cache. If it counted all channels at once, their tables would evict each other from
 * the first-level cache. */
#include "kernels/histogram/count.h"
#include "kernels/histogram/count_table.h"

enum { BLOCK = 1 << 15, LUMA_RUN = 2048, GROUP = 4 };

/* Samples of one channel, whose addresses are `step` bytes apart. If transparent pixels are
 * skipped, their alphas are `alpha_step` bytes apart. */
typedef struct Samples {
    const uint8_t *src, *alpha;
    size_t step, alpha_step;
} Samples;

typedef void CountSamples(Samples s, size_t count, ImgCountTable *table);

static inline void count_samples(Samples s, size_t count, ImgCountTable *table, const bool skips)
{
    size_t i = 0;
    for (; i + GROUP <= count; i += GROUP) {
        uint32_t value[GROUP], differences = 0;
        uint8_t times[GROUP];
        for (size_t k = 0; k < GROUP; k++) {
            value[k] = img_table_load(s.src + (i + k) * s.step);
            differences |= value[k] ^ value[0];
            times[k] = !skips || img_table_load(s.alpha + (i + k) * s.alpha_step) != 0;
        }
        if (__builtin_expect(differences == 0, 0)) {
            img_table_add(table, value[0], times[0] + times[1] + times[2] + times[3]);
            continue;
        }
        for (size_t k = 0; k < GROUP; k++)
            img_table_add(table, value[k], times[k]);
    }
    for (; i < count; i++)
        img_table_add(table, img_table_load(s.src + i * s.step),
                      !skips || img_table_load(s.alpha + i * s.alpha_step) != 0);
}

static void count_all(Samples s, size_t count, ImgCountTable *table)
{
    if (s.step == sizeof(uint16_t))
        img_table_count_packed(table, s.src, count);
    else
        count_samples(s, count, table, false);
}

static void count_visible(Samples s, size_t count, ImgCountTable *table)
{
    count_samples(s, count, table, true);
}

/* Counts row `row` of the table: a channel or luma, over the pixels `first` to `end` - 1. These
 * pixels may be in many short runs. */
static void count_row(const ImgCountJob *job, int row, int64_t first, int64_t end,
                      ImgCountTable *table)
{
    uint16_t luma[LUMA_RUN];
    bool is_luma = row == job->channels;
    CountSamples *count = job->skips ? count_visible : count_all;
    size_t last_channel = (size_t)(job->channels - 1);
    while (first < end) {
        ImgRun run = img_run_at(job, first, end, is_luma ? LUMA_RUN : BLOCK);
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
    return (size_t)job->rows * sizeof(ImgCountTable);
}

static void wide_count(const ImgCountJob *job, int64_t first, int64_t end, void *tables)
{
    for (; first < end; first += BLOCK)
        for (int row = 0; row < job->rows; row++)
            count_row(job, row, first, end - first < BLOCK ? end : first + BLOCK,
                      (ImgCountTable *)tables + row);
}

static void wide_add(const ImgCountJob *job, const void *tables, int row, int32_t first,
                     int32_t end, uint64_t *counts)
{
    (void)job;
    for (int32_t v = first; v < end; v++)
        counts[v] += img_table_count((const ImgCountTable *)tables + row, (size_t)v);
}

const ImgCountLoops img_count_wide = {wide_bytes, wide_count, NULL, wide_add};
