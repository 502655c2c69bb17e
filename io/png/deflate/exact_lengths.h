/* Private: the lengths of Huffman codes that make a block smallest, together with the header that
 * states them. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_EXACT_LENGTHS_H
#define IMGTOOL_IO_PNG_DEFLATE_EXACT_LENGTHS_H

#include <stdint.h>

#include "io/png/deflate/huffman.h"

/* Sets `lengths` as img_huffman_lengths does, and to an optimal code if the limit applies, too. */
void img_exact_lengths(const uint32_t *counts, int symbols, int limit, uint8_t *lengths);

/* Replaces the counts of neighbouring symbols by their mean where that lengthens the data by at
 * most `bits` bits for each symbol. Neighbours with equal counts get equal code lengths, which the
 * header states as one repetition. */
void img_exact_level_counts(const uint32_t *counts, int symbols, uint32_t bits, uint32_t *levelled);

#endif
