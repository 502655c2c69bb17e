/* Private: Huffman codes as deflate uses them: canonical, of limited length (RFC 1951, 3.2.2), and
 * the form in which a block's header carries them (3.2.7). */
#ifndef IMGTOOL_IO_PNG_DEFLATE_HUFFMAN_H
#define IMGTOOL_IO_PNG_DEFLATE_HUFFMAN_H

#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/bits.h"

enum {
    IMG_LITERALS = 256,
    IMG_END_OF_BLOCK = 256,
    IMG_FIRST_LENGTH = 257,
    IMG_SYMBOLS = 286, /* literals, the end of the block, 29 ranges of lengths */
    IMG_DISTANCES = 30,
    IMG_CODE_MOST = 15, /* bits of a code */
    IMG_HEADER_MOST_BYTES = 320,
};

/* Code lengths for symbols that occur so often; 0 where they do not. The code is complete: where
 * fewer than two symbols occur, the first others get a code too. At most IMG_SYMBOLS symbols, and
 * no more than 2^limit; `limit` is at most IMG_CODE_MOST. The sum of the counts fits 32 bits.
 * Optimal unless the limit cuts in, and then close to it. */
void img_huffman_lengths(const uint32_t *counts, int symbols, int limit, uint8_t *lengths);

/* The codes that belong to the lengths, their bits in the order of the stream. */
void img_huffman_codes(const uint8_t *lengths, int symbols, uint16_t *codes);

/* The header of a dynamic block, without the three bits that open every block. `literals` has
 * IMG_SYMBOLS lengths, `distances` has IMG_DISTANCES. */
void img_huffman_put_header(ImgBits *bits, const uint8_t *literals, const uint8_t *distances);

/* The bits that it takes. */
size_t img_huffman_header_bits(const uint8_t *literals, const uint8_t *distances);

#endif
