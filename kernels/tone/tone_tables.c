/* Computes the tables of the tone family from counts, on the CPU. */
#include "kernels/tone/tone.h"
#include "kernels/tone/tone_arithmetic.h"

/* The counts for one table: the counts of one channel, or of several channels, which are added. */
typedef struct Counts {
    const uint64_t *rows[4];
    int32_t summed;
    uint32_t bins;
    uint64_t total;
} Counts;

static uint64_t count_of(const Counts *counts, uint32_t value)
{
    uint64_t sum = 0;
    for (int32_t i = 0; i < counts->summed; i++)
        sum += counts->rows[i][value];
    return sum;
}

static Counts take_counts(const ImgTonePlan *plan, const uint64_t *all, int32_t table)
{
    Counts counts = {.summed = plan->summed, .bins = 1U << plan->bits};
    for (int32_t i = 0; i < plan->summed; i++)
        counts.rows[i] = all + ((size_t)(plan->first_row + table + i) << plan->bits);
    for (uint32_t v = 0; v < counts.bins; v++)
        counts.total += count_of(&counts, v);
    return counts;
}

static void change_nothing(uint16_t *table, uint32_t bins)
{
    for (uint32_t v = 0; v < bins; v++)
        table[v] = (uint16_t)v;
}

static void equalize(const Counts *counts, uint16_t *table)
{
    uint64_t least = 0, below = 0;
    for (uint32_t v = 0; v < counts->bins && least == 0; v++)
        least = count_of(counts, v);
    if (least == counts->total) { /* only one value occurs, or no samples were counted */
        change_nothing(table, counts->bins);
        return;
    }
    for (uint32_t v = 0; v < counts->bins; v++) {
        below += count_of(counts, v);
        table[v] = (uint16_t)img_equalized(below, least, counts->total, counts->bins - 1);
    }
}

static void stretch(const Counts *counts, uint32_t clip, uint16_t *table)
{
    uint64_t cut = img_clipped_count(counts->total, clip);
    uint32_t low = 0, high = counts->bins - 1;
    uint64_t below = count_of(counts, low), above = count_of(counts, high);
    while (below <= cut && low < counts->bins - 1)
        below += count_of(counts, ++low);
    while (above <= cut && high > 0)
        above += count_of(counts, --high);
    if (low >= high) {
        change_nothing(table, counts->bins);
        return;
    }
    for (uint32_t v = 0; v < counts->bins; v++)
        table[v] = (uint16_t)img_stretched(v, low, high, counts->bins - 1);
}

static uint32_t otsu(const Counts *counts)
{
    uint64_t moment = 0, below = 0, lower = 0;
    for (uint32_t v = 0; v < counts->bins; v++)
        moment += v * count_of(counts, v);
    ImgSplit best = img_no_split();
    for (uint32_t v = 0; v < counts->bins; v++) {
        uint64_t count = count_of(counts, v);
        if (count == 0)
            continue;
        below += count;
        lower += v * count;
        ImgSplit split = img_split(v, below, lower, counts->total, moment);
        if (img_split_is_better(&split, &best))
            best = split;
    }
    return best.level;
}

void img_tone_tables(const ImgTonePlan *plan, const uint64_t *counts_of_rows, uint16_t *tables,
                     uint32_t *level)
{
    *level = 0;
    for (int32_t t = 0; t < plan->tables; t++) {
        Counts counts = take_counts(plan, counts_of_rows, t);
        uint16_t *table = tables + ((size_t)t << plan->bits);
        if (plan->rule == IMG_TONE_EQUALIZE)
            equalize(&counts, table);
        else if (plan->rule == IMG_TONE_STRETCH)
            stretch(&counts, (uint32_t)plan->clip, table);
        else
            *level = otsu(&counts);
    }
}
