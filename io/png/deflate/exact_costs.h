/* Private: what symbols cost, in IMG_EXACT_BIT-ths of a bit. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_EXACT_COSTS_H
#define IMGTOOL_IO_PNG_DEFLATE_EXACT_COSTS_H

#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/exact_symbols.h"

enum {
    IMG_EXACT_BIT_BITS = 6,
    IMG_EXACT_BIT = 1 << IMG_EXACT_BIT_BITS, /* cost of one bit */
    IMG_EXACT_LOG_BITS = 16,
};

typedef struct ImgExactCosts {
    int32_t literals[IMG_LITERALS];
    int32_t lengths[IMG_LENGTH_MOST + 1]; /* by length, with extra bits */
    int32_t distances[IMG_DISTANCES];     /* by code, with extra bits */
} ImgExactCosts;

/* Returns the base-2 logarithm of `number`, at least 1, in 2^-IMG_EXACT_LOG_BITS, with an error
 * below 2^-13. */
uint32_t img_exact_log2(uint32_t number);

/* Sets costs to the information of each symbol, by the counts of a block. */
void img_exact_costs_of_counts(const ImgBlockCounts *counts, ImgExactCosts *costs);

/* Sets costs to the lengths of a block's codes. */
void img_exact_costs_of_codes(const ImgBlockPlan *plan, ImgExactCosts *costs);

/* Sets costs for a first parse of data of which only the bytes are known. */
void img_exact_costs_of_bytes(const uint8_t *data, size_t size, ImgExactCosts *costs);

/* Adds a symbol to the counts. */
static inline void img_exact_count(ImgBlockCounts *counts, ImgExactSymbol symbol)
{
    if (img_exact_is_match(symbol))
        img_block_count_match(counts, img_exact_length(symbol), img_exact_distance(symbol));
    else
        counts->literals[symbol]++;
}

#endif
