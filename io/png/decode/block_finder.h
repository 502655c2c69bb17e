/* Private: places at which a stream may be entered without what comes before them. */
#ifndef IMGTOOL_IO_PNG_DECODE_BLOCK_FINDER_H
#define IMGTOOL_IO_PNG_DECODE_BLOCK_FINDER_H

#include "io/png/decode/strategies.h"

/* Looks for one place after each multiple of `piece_bytes` of the stream, up to the next multiple,
 * `count` times from the first one on, on job->threads threads. Writes the bit of the stream where
 * a block may start, or 0 where there is none, no memory to look for it, or where so much was
 * looked through in vain that there are hardly any. The memory of the image is touched meanwhile,
 * and its pixels are undefined. */
void img_find_blocks(const ImgPngJob *job, uint64_t piece_bytes, size_t count, uint64_t *found);

#endif
