/* Private: canonical Huffman codes of limited length for deflate (RFC 1951, 3.2.2), and their
 * encoding in a block's header (3.2.7). */
#ifndef IMGTOOL_IO_PNG_DEFLATE_HUFFMAN_H
#define IMGTOOL_IO_PNG_DEFLATE_HUFFMAN_H

#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/bits.h"

enum {
    IMG_LITERALS = 256,
    IMG_END_OF_BLOCK = 256,
    IMG_FIRST_LENGTH = 257,
    IMG_SYMBOLS = 286, /* literals, end of block, 29 length codes */
    IMG_DISTANCES = 30,
    IMG_CODE_MOST = 15, /* bits of the longest code */
    IMG_HEADER_MOST_BYTES = 320,
};

/* Computes code lengths from the counts of symbols; symbols that do not occur get 0. The code is
 * complete: if fewer than two symbols occur, the first of the others get a code too. Needs at most
 * IMG_SYMBOLS and at most 2^limit symbols, limit <= IMG_CODE_MOST, and a sum of counts that fits 32
 * bits. The code is optimal, or close to optimal if the limit applies. */
void img_huffman_lengths(const uint32_t *counts, int symbols, int limit, uint8_t *lengths);

/* Computes the codes from their lengths. The bits of each code are in stream order. */
void img_huffman_codes(const uint8_t *lengths, int symbols, uint16_t *codes);

/* Writes the header of a dynamic block after the block's first three bits. `literals` has
 * IMG_SYMBOLS code lengths, `distances` has IMG_DISTANCES. */
void img_huffman_put_header(ImgBits *bits, const uint8_t *literals, const uint8_t *distances);

/* Returns the size in bits of the header that img_huffman_put_header writes. */
size_t img_huffman_header_bits(const uint8_t *literals, const uint8_t *distances);

#endif
