/* Private: searches a stream for deflate blocks where decoding can start without the data before
 * them. */
#ifndef IMGTOOL_IO_PNG_DECODE_BLOCK_FINDER_H
#define IMGTOOL_IO_PNG_DECODE_BLOCK_FINDER_H

#include "io/png/decode/fast_decoders.h"

/* Divides the stream into intervals of `piece_bytes` bytes, and searches intervals 1 to `count` for
 * a block start on job->threads threads. Sets found[i] to the bit position of a possible block
 * start in interval i + 1. Sets it to 0 if none was found, if memory is short, or if too many bytes
 * were searched without success.
 *
 * Also writes to the memory of the image, so that the system provides this memory now. The pixels
 * become undefined. */
void img_find_blocks(const ImgPngJob *job, uint64_t piece_bytes, size_t count, uint64_t *found);

#endif
