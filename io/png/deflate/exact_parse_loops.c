/* Parses from the end backwards. This file is compiled once for each instruction set
 * (kernels/core/parallel/cpu.h). */
#include "io/png/deflate/exact_parse.h"

#include "kernels/core/parallel/cpu.h"
#include "kernels/simd/simd.h"

typedef struct Best {
    int32_t total;
    ImgExactSymbol symbol;
} Best;

/* Returns the least sum of lengths[i] and totals[i] for i from `from` to `to`, which are at least
 * V_LONGS numbers. */
static inline int32_t least_of(const int32_t *lengths, const int32_t *totals, uint32_t from,
                               uint32_t to)
{
    int32_t each[V_LONGS], least = INT32_MAX;
    uint32_t length = from;
    vi32 all = all_i32(INT32_MAX);
    for (; length + V_LONGS <= to + 1; length += V_LONGS)
        all = min_i32(all, load_i32(lengths + length) + load_i32(totals + length));
    /* The last vector overlaps the one before. */
    length = to + 1 - V_LONGS;
    all = min_i32(all, load_i32(lengths + length) + load_i32(totals + length));
    store_i32(each, all);
    for (int i = 0; i < V_LONGS; i++)
        least = each[i] < least ? each[i] : least;
    return least;
}

/* Compares all lengths from `from` to `to` of a match whose distance costs `distance`. Of lengths
 * that cost the same, takes the largest. */
static inline void try_lengths(const int32_t *lengths, const int32_t *totals, int32_t distance,
                               uint32_t from, uint32_t to, ImgExactSymbol match, Best *best)
{
    const int32_t bound = best->total - distance;
    int32_t least = bound;
    uint32_t at = 0;
    if (to - from + 1 >= V_LONGS) {
        least = least_of(lengths, totals, from, to);
        if (least >= bound)
            return;
        for (at = to; lengths[at] + totals[at] != least;)
            at--;
    } else {
        for (uint32_t length = to; length >= from; length--) {
            const int32_t total = lengths[length] + totals[length];
            at = total < least ? length : at;
            least = total < least ? total : least;
        }
        if (at == 0)
            return;
    }
    *best = (Best){least + distance, img_exact_with_length(match, at)};
}

/* Compares all matches of a position. A farther match serves all lengths of a nearer one, too, and
 * does so if its distance is cheaper. */
static inline void try_matches(const ImgExactMatches *matches, const ImgExactCosts *costs,
                               uint32_t place, uint32_t end, const int32_t *totals, Best *best)
{
    const ImgExactSymbol *first = matches->matches + matches->starts[place];
    const ImgExactSymbol *match = matches->matches + matches->starts[place + 1];
    int32_t cheapest = INT32_MAX;
    ImgExactSymbol used = 0;
    while (match-- > first) {
        const int32_t distance = costs->distances[img_exact_code(*match)];
        if (distance < cheapest) {
            cheapest = distance;
            used = *match;
        }
        uint32_t to = img_exact_length(*match);
        to = to < end - place ? to : end - place;
        const uint32_t from = match > first ? img_exact_length(match[-1]) + 1 : IMG_LENGTH_LEAST;
        if (from <= to)
            try_lengths(costs->lengths, totals + place, cheapest, from, to, used, best);
    }
}

void IMG_VARIANT(img_exact_parse)(const uint8_t *data, const ImgExactMatches *matches,
                                  const ImgExactCosts *costs, uint32_t from, uint32_t to,
                                  uint32_t end, const ImgExactPaths *paths)
{
    for (uint32_t place = to; place-- > from;) {
        Best best = {costs->literals[data[place]] + paths->totals[place + 1], data[place]};
        try_matches(matches, costs, place, end, paths->totals, &best);
        paths->totals[place] = best.total;
        paths->symbols[place] = best.symbol;
    }
}
