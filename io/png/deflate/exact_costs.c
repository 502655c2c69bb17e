#include "io/png/deflate/exact_costs.h"

#include <string.h>

enum {
    MANTISSA_BITS = 6,
    FRACTION_BITS = 31 - MANTISSA_BITS,
    /* Costs in bits. Of codes without a symbol in the block before, they are guesses: cheap enough
     * that the next parse may use them. */
    UNUSED_SYMBOL = 13,
    UNUSED_DISTANCE = 10,
    /* Before the first parse: the mark that a symbol is a literal, a length without its extra bits,
     * a distance without its extra bits. The mark also keeps literals of constant data from being
     * free, which no match could beat. */
    FIRST_LITERAL = 1,
    FIRST_LENGTH = 5,
    FIRST_DISTANCE = 5,
};

/* Logarithms of 1 + i / 64, in 2^-16. */
static const uint32_t LOG2[65] = {
    0,     1466,  2909,  4331,  5732,  7112,  8473,  9814,  11136, 12440, 13727, 14996, 16248,
    17484, 18704, 19909, 21098, 22272, 23433, 24579, 25711, 26830, 27936, 29029, 30109, 31178,
    32234, 33279, 34312, 35334, 36346, 37346, 38336, 39316, 40286, 41246, 42196, 43137, 44068,
    44990, 45904, 46809, 47705, 48593, 49472, 50344, 51207, 52063, 52911, 53751, 54584, 55410,
    56229, 57040, 57845, 58643, 59434, 60219, 60997, 61769, 62534, 63294, 64047, 64794, 65536,
};

uint32_t img_exact_log2(uint32_t number)
{
    const uint32_t top = img_top_bit(number), fraction = number << (31 - top) & 0x7FFFFFFF;
    const uint32_t i = fraction >> (FRACTION_BITS), rest = fraction & ((1U << FRACTION_BITS) - 1);
    const uint64_t step = (uint64_t)(LOG2[i + 1] - LOG2[i]) * rest >> FRACTION_BITS;
    return (top << IMG_EXACT_LOG_BITS) + LOG2[i] + (uint32_t)step;
}

/* Sets costs[i] to log2(total / counts[i]). A symbol that does not occur costs as if it occurred
 * half a time. */
static void set_costs(const uint32_t *counts, int symbols, int32_t *costs)
{
    uint32_t total = 0;
    for (int i = 0; i < symbols; i++)
        total += counts[i];
    const uint32_t whole = img_exact_log2(total > 0 ? total : 1);
    for (int i = 0; i < symbols; i++) {
        const uint32_t bits =
            counts[i] > 0 ? whole - img_exact_log2(counts[i]) : whole + (1U << IMG_EXACT_LOG_BITS);
        costs[i] = (int32_t)bits >> (IMG_EXACT_LOG_BITS - IMG_EXACT_BIT_BITS);
    }
}

/* Sets the costs of lengths and distances from those of their codes, and adds their extra bits. */
static void add_extra_bits(const int32_t *symbols, const int32_t *distances, ImgExactCosts *costs)
{
    memcpy(costs->literals, symbols, sizeof costs->literals);
    for (uint32_t length = IMG_LENGTH_LEAST; length <= IMG_LENGTH_MOST; length++) {
        const ImgPart part = img_part_of_length(length);
        costs->lengths[length] =
            symbols[IMG_FIRST_LENGTH + part.code] + (int32_t)part.extra_bits * IMG_EXACT_BIT;
    }
    for (int code = 0; code < IMG_DISTANCES; code++)
        costs->distances[code] = distances[code] + (code < 2 ? 0 : code / 2 - 1) * IMG_EXACT_BIT;
}

void img_exact_costs_of_counts(const ImgBlockCounts *counts, ImgExactCosts *costs)
{
    int32_t symbols[IMG_SYMBOLS], distances[IMG_DISTANCES];
    set_costs(counts->literals, IMG_SYMBOLS, symbols);
    set_costs(counts->distances, IMG_DISTANCES, distances);
    add_extra_bits(symbols, distances, costs);
}

void img_exact_costs_of_codes(const ImgBlockPlan *plan, ImgExactCosts *costs)
{
    int32_t symbols[IMG_SYMBOLS], distances[IMG_DISTANCES];
    for (int i = 0; i < IMG_SYMBOLS; i++)
        symbols[i] = (plan->literals[i] > 0 ? plan->literals[i] : UNUSED_SYMBOL) * IMG_EXACT_BIT;
    for (int i = 0; i < IMG_DISTANCES; i++)
        distances[i] =
            (plan->distances[i] > 0 ? plan->distances[i] : UNUSED_DISTANCE) * IMG_EXACT_BIT;
    add_extra_bits(symbols, distances, costs);
}

void img_exact_costs_of_bytes(const uint8_t *data, size_t size, ImgExactCosts *costs)
{
    int32_t symbols[IMG_SYMBOLS], distances[IMG_DISTANCES];
    uint32_t counts[IMG_LITERALS] = {0};
    for (size_t i = 0; i < size; i++)
        counts[data[i]]++;
    set_costs(counts, IMG_LITERALS, symbols);
    for (int i = 0; i < IMG_LITERALS; i++)
        symbols[i] += FIRST_LITERAL * IMG_EXACT_BIT;
    for (int i = IMG_LITERALS; i < IMG_SYMBOLS; i++)
        symbols[i] = FIRST_LENGTH * IMG_EXACT_BIT;
    for (int i = 0; i < IMG_DISTANCES; i++)
        distances[i] = FIRST_DISTANCE * IMG_EXACT_BIT;
    add_extra_bits(symbols, distances, costs);
}
