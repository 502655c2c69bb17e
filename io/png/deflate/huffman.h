/* Private: canonical Huffman codes of limited length for deflate (RFC 1951, 3.2.2), and their
 * encoding in the header of a block (3.2.7). */
#ifndef IMGTOOL_IO_PNG_DEFLATE_HUFFMAN_H
#define IMGTOOL_IO_PNG_DEFLATE_HUFFMAN_H

#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/bits.h"

enum {
    IMG_LITERALS = 256,
    IMG_END_OF_BLOCK = 256,
    IMG_FIRST_LENGTH = 257,
    IMG_SYMBOLS = 286, /* number of literals, the end-of-block symbol and 29 length codes */
    IMG_DISTANCES = 30,
    IMG_CODE_MOST = 15, /* length of the longest code in bits */
    IMG_HEADER_MOST_BYTES = 320,
};

/* Sets `lengths` to the code lengths, in bits, for symbols with the given counts. Symbols that do
 * not occur get length 0. Exception: at least two symbols get a code, so that the code is complete.
 * Requires at most IMG_SYMBOLS and at most 2^limit symbols, a limit of at most IMG_CODE_MOST, and a
 * sum of counts that fits 32 bits.
 *
 * The code is optimal, or close to optimal if the limit applies. */
void img_huffman_lengths(const uint32_t *counts, int symbols, int limit, uint8_t *lengths);

/* Computes the codes of symbols from the lengths of the codes. The first bit of a code in the
 * stream is its lowest bit. */
void img_huffman_codes(const uint8_t *lengths, int symbols, uint16_t *codes);

/* Writes the header of a dynamic block, after the first three bits of the block. `literals` has
 * IMG_SYMBOLS code lengths, `distances` has IMG_DISTANCES. */
void img_huffman_put_header(ImgBits *bits, const uint8_t *literals, const uint8_t *distances);

/* Returns the size in bits of the header that img_huffman_put_header would write. */
size_t img_huffman_header_bits(const uint8_t *literals, const uint8_t *distances);

#endif
