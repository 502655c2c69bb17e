/* Private: finds positions at which the decoding of a deflate stream can start. */
#ifndef IMGTOOL_IO_PNG_INFLATE_INFLATE_FIND_H
#define IMGTOOL_IO_PNG_INFLATE_INFLATE_FIND_H

#include "io/png/inflate/inflate.h"

/* Sets `*found` to the first bit position in [from, to) at which a dynamic block may start that is
 * not the last block. Its whole header must be valid. Returns false if there is no such position.
 * The caller must handle false positives, although 5 * 10^8 bits of noise gave none.
 *
 * Positions count from the start of `bytes`, which has `size` bytes. IMG_INFLATE_DATA_SLACK bytes
 * after them must be readable. `state` is working memory. */
bool img_inflate_find(ImgInflate *state, const uint8_t *bytes, size_t size, uint64_t from,
                      uint64_t to, uint64_t *found);

/* Returns the offset in [from, to) of the first possible length field of a stored block. This field
 * is a 16-bit number and its complement (RFC 1951, 3.2.4). Returns `to` if there is none.
 * IMG_INFLATE_DATA_SLACK bytes after `to` must be readable. In noise one of 65,536 positions is a
 * false positive. */
size_t img_inflate_find_lengths(const uint8_t *bytes, size_t from, size_t to);

#endif
