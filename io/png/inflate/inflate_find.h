/* Private: where a deflate stream can be entered. */
#ifndef IMGTOOL_IO_PNG_INFLATE_INFLATE_FIND_H
#define IMGTOOL_IO_PNG_INFLATE_INFLATE_FIND_H

#include "io/png/inflate/inflate.h"

/* Looks for the first bit from `from` on, and before `to`, where a block with codes of its own may
 * start that is not the last one: its whole header is valid. (None was found in 5 * 10^8
 * bits of noise, but nothing rules one out, which the caller has to bear.) Bits
 * count from the start of `bytes`, of which `size` are there, and IMG_INFLATE_DATA_SLACK more that
 * may be read. `state` is for its use. */
bool img_inflate_find(ImgInflate *state, const uint8_t *bytes, size_t size, uint64_t from,
                      uint64_t to, uint64_t *found);

/* Looks for the lengths of a stored block (RFC 1951, 3.2.4), a number of 16 bits and its
 * complement, from byte `from` on and before byte `to`, after which IMG_INFLATE_DATA_SLACK more may
 * be read. Returns `to` where there are none. One place in 65,536 of noise looks like that. */
size_t img_inflate_find_lengths(const uint8_t *bytes, size_t from, size_t to);

#endif
