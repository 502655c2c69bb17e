/* Private: the header of a dynamic block, in the smallest form: of all ways to state code lengths
 * by repetitions (RFC 1951, 3.2.7) the cheapest. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_EXACT_HEADER_H
#define IMGTOOL_IO_PNG_DEFLATE_EXACT_HEADER_H

#include "io/png/deflate/huffman.h"

/* Returns the size of the header in bits, after the first three bits of the block. */
uint32_t img_exact_header_bits(const uint8_t *literals, const uint8_t *distances);
void img_exact_put_header(ImgBits *bits, const uint8_t *literals, const uint8_t *distances);

#endif
