/* First compares all divisions at some places by an estimate: the information of each block's
 * symbols and a guess of its header. Then moves the ends of blocks step by step, and finally joins
 * neighbours whose common block is smaller in fact. */
#include "io/png/deflate/exact_split.h"

#include <string.h>

#include "io/png/deflate/exact_costs.h"

enum {
    SUMS = 1 << 10,
    PLACE_LEAST = 32, /* smallest number of symbols between two places */
    MOVE_LEAST = 8,   /* smallest number of symbols by which the end of a block moves */
    ONE = 1 << IMG_EXACT_LOG_BITS, /* one bit, in estimates */
    /* Estimated bits of a header: sixteenths for each code length other than zero and for each code
     * length that differs from the one before, and bits for all else. */
    LENGTH_SIXTEENTHS = 32,
    CHANGE_SIXTEENTHS = 36,
    OTHER_BITS = 60,
};

void img_exact_split_create(ImgExactSplit *split)
{
    split->sums[0] = 0;
    for (uint32_t i = 1; i < SUMS; i++)
        split->sums[i] = i * img_exact_log2(i);
}

static inline uint64_t sum_of(const ImgExactSplit *split, uint32_t count)
{
    return count < SUMS ? split->sums[count] : (uint64_t)count * img_exact_log2(count);
}

/* Estimates the bits that one table of a block takes: its symbols' information and their part of
 * the header. The table's counts are those of `to` less those of `from`. */
static uint64_t estimate_table(const ImgExactSplit *split, const uint32_t *from, const uint32_t *to,
                               int symbols)
{
    uint64_t apart = 0;
    uint32_t total = 0, lengths = 0, changes = 0, last = 0;
    for (int i = 0; i < symbols; i++) {
        const uint32_t count = to[i] - from[i];
        if (count == 0) {
            changes += last != 0;
            last = 0;
            continue;
        }
        const uint32_t length = 1 + img_top_bit(count);
        total += count;
        apart += sum_of(split, count);
        changes += length != last;
        lengths++;
        last = length;
    }
    const uint64_t header =
        (uint64_t)lengths * LENGTH_SIXTEENTHS + (uint64_t)changes * CHANGE_SIXTEENTHS;
    return sum_of(split, total) - apart + header * (ONE / 16);
}

static uint64_t estimate(const ImgExactSplit *split, const ImgBlockCounts *from,
                         const ImgBlockCounts *to)
{
    return estimate_table(split, from->literals, to->literals, IMG_SYMBOLS) +
           estimate_table(split, from->distances, to->distances, IMG_DISTANCES) +
           (uint64_t)OTHER_BITS * ONE;
}

/* Counts the symbols up to each place. Returns the number of places after the first one. */
static uint32_t place(ImgExactSplit *split, const ImgExactSymbol *symbols, uint32_t count,
                      uint32_t fine)
{
    uint32_t step = (count + fine - 1) / fine, places = 0;
    step = step < PLACE_LEAST ? PLACE_LEAST : step;
    memset(&split->before[0], 0, sizeof split->before[0]);
    split->places[0] = 0;
    for (uint32_t at = 0; at < count;) {
        const uint32_t end = count - at < step ? count : at + step;
        ImgBlockCounts *counts = &split->before[++places];
        *counts = split->before[places - 1];
        for (; at < end; at++)
            img_exact_count(counts, symbols[at]);
        split->places[places] = end;
    }
    return places;
}

/* Finds the cheapest division at places, and writes the ends of its blocks to `ends`. Returns their
 * number. */
static uint32_t divide(const ImgExactSplit *split, uint32_t places, uint32_t *ends)
{
    uint64_t totals[IMG_EXACT_BLOCKS + 1] = {0};
    uint32_t last[IMG_EXACT_BLOCKS + 1] = {0};
    for (uint32_t to = 1; to <= places; to++) {
        totals[to] = UINT64_MAX;
        for (uint32_t from = 0; from < to; from++) {
            const uint64_t total =
                totals[from] + estimate(split, &split->before[from], &split->before[to]);
            if (total < totals[to]) {
                totals[to] = total;
                last[to] = from;
            }
        }
    }
    uint32_t count = 0;
    for (uint32_t to = places; to > 0; to = last[to])
        count++;
    for (uint32_t to = places, i = count; to > 0; to = last[to])
        ends[--i] = split->places[to];
    return count;
}

static void count_range(const ImgExactSymbol *symbols, uint32_t from, uint32_t to,
                        ImgBlockCounts *counts)
{
    *counts = (ImgBlockCounts){.literals = {[IMG_END_OF_BLOCK] = 1}};
    for (uint32_t i = from; i < to; i++)
        img_exact_count(counts, symbols[i]);
}

/* Moves the end of a block, which is followed by another block, to where both cost least. */
static void move_end(ImgExactSplit *split, const ImgExactSymbol *symbols, uint32_t from,
                     uint32_t *end, uint32_t to, uint32_t step)
{
    static const ImgBlockCounts none;
    ImgBlockCounts left, right;
    count_range(symbols, from, *end, &left);
    count_range(symbols, *end, to, &right);
    uint64_t least = estimate(split, &none, &left) + estimate(split, &none, &right);
    for (; step >= MOVE_LEAST; step /= 2)
        for (int way = 0; way < 2; way++) {
            if (way == 0 ? to - *end <= step : *end - from <= step)
                continue;
            const uint32_t moved = way == 0 ? *end + step : *end - step;
            count_range(symbols, from, moved, &left);
            count_range(symbols, moved, to, &right);
            const uint64_t total = estimate(split, &none, &left) + estimate(split, &none, &right);
            if (total < least) {
                least = total;
                *end = moved;
                break;
            }
        }
}

static void add_counts(ImgBlockCounts *counts, const ImgBlockCounts *more)
{
    for (int i = 0; i < IMG_SYMBOLS; i++)
        counts->literals[i] += more->literals[i];
    for (int i = 0; i < IMG_DISTANCES; i++)
        counts->distances[i] += more->distances[i];
    counts->extra += more->extra;
    counts->literals[IMG_END_OF_BLOCK] = 1;
}

/* Joins the new block to the one before it if that makes the output smaller. */
static bool join(ImgExactBlock *block, const ImgExactBlock *next)
{
    ImgExactBlock both = *block;
    both.to = next->to;
    both.end = next->end;
    add_counts(&both.counts, &next->counts);
    img_exact_plan(&both.counts, both.end - both.start, &both.plan);
    if (both.plan.codes.bits > block->plan.codes.bits + next->plan.codes.bits)
        return false;
    *block = both;
    return true;
}

void img_exact_split(ImgExactSplit *split, const ImgExactSymbol *symbols, uint32_t count,
                     uint32_t fine)
{
    uint32_t ends[IMG_EXACT_BLOCKS], from = 0, start = 0;
    const uint32_t places = place(split, symbols, count, fine);
    const uint32_t blocks = divide(split, places, ends);
    for (uint32_t i = 0; i + 1 < blocks; i++)
        move_end(split, symbols, i > 0 ? ends[i - 1] : 0, &ends[i], ends[i + 1],
                 split->places[1] / 2);
    split->count = 0;
    split->bits = 0;
    for (uint32_t i = 0; i < blocks; i++) {
        ImgExactBlock *block = &split->blocks[split->count];
        *block = (ImgExactBlock){.from = from, .to = ends[i], .start = start, .end = start};
        count_range(symbols, from, ends[i], &block->counts);
        for (; from < ends[i]; from++)
            block->end += img_exact_bytes_of(symbols[from]);
        start = block->end;
        img_exact_plan(&block->counts, block->end - block->start, &block->plan);
        split->count += split->count == 0 || !join(block - 1, block);
    }
    for (uint32_t i = 0; i < split->count; i++)
        split->bits += split->blocks[i].plan.codes.bits;
}
