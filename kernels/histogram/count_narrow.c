/* Counts samples of up to 8 bits. The processor can read a counter again only 5 to 8 cycles after
 * it was written. Therefore neighbouring pixels are counted in different copies of the table.
 * Counting a sample takes a load of the sample, a load of its counter, an addition and a store. The
 * speed is limited by one store per cycle, for any content of the picture. */
#include "kernels/histogram/count.h"

/* A row of a table is padded by 64 bytes (16 counters). Processors first compare only the low 12
 * bits of addresses. So if rows were a multiple of 4096 bytes apart, loads would wait for stores to
 * other rows. */
enum { ENTRIES = 256, PITCH = ENTRIES + 16, LUMA_RUN = 512 };

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
    uint8_t luma[LUMA_RUN];
    CountRun *loop = loop_for(job);
    while (first < end) {
        ImgRun run = img_run_at(job, first, end, LUMA_RUN);
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
