/* Private: whether LZ77 may shrink data more than its Huffman codes alone do. */
#ifndef IMGTOOL_IO_PNG_ENCODE_REPEATS_H
#define IMGTOOL_IO_PNG_ENCODE_REPEATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IMG_REPEATS_MOST = 1 << 14 /* bytes of a piece */ };

/* Sums over pieces; start with {0}. */
typedef struct ImgRepeats {
    uint64_t literal_bits; /* what the pieces take by Huffman codes */
    uint64_t bits;         /* and with what repeats written as matches */
} ImgRepeats;

/* Adds a piece of at most IMG_REPEATS_MOST bytes. An estimate in whole numbers, and one that does
 * not depend on the order of work within STEP bytes, so that a GPU can come to the same. */
void img_repeats_add(ImgRepeats *repeats, const uint8_t *data, size_t size);

/* Are there enough of them to try LZ77? Where not, it hardly ever wins. */
bool img_repeats_may_pay(const ImgRepeats *repeats);

#endif
