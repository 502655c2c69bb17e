/* Private: searches a stream for deflate blocks at which decoding may start without the data before
 * them. */
#ifndef IMGTOOL_IO_PNG_DECODE_BLOCK_FINDER_H
#define IMGTOOL_IO_PNG_DECODE_BLOCK_FINDER_H

#include "io/png/decode/fast_decoders.h"

/* Divides the stream into `count` intervals of `piece_bytes` bytes, and searches each except the
 * first for a block start, on job->threads threads. Sets found[i] to the bit position at which a
 * block may start in interval i. Sets it to 0 if there is none, if memory is short, or if too many
 * bytes were searched without success.
 *
 * Also writes to the memory of the image, whose pixels become undefined, so that the system
 * provides this memory now. */
void img_find_blocks(const ImgPngJob *job, uint64_t piece_bytes, size_t count, uint64_t *found);

#endif
