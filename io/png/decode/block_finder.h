/* Private: searches a stream for deflate blocks at which decoding may start without the data before
 * them. */
#ifndef IMGTOOL_IO_PNG_DECODE_BLOCK_FINDER_H
#define IMGTOOL_IO_PNG_DECODE_BLOCK_FINDER_H

#include "io/png/decode/fast_decoders.h"

/* Searches for one block start in each interval of `piece_bytes` of the stream except the first, in
 * `count` intervals, on job->threads threads. Writes the bit position where a block may start.
 * Writes 0 if there is none, if memory is short, or if too much was searched in vain.
 *
 * Also touches the memory of the image, whose pixels become undefined. */
void img_find_blocks(const ImgPngJob *job, uint64_t piece_bytes, size_t count, uint64_t *found);

#endif
