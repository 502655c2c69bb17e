/* Private: the chunk blKS lists the bit positions at which the deflate blocks of a picture begin.
 * Decoders that inflate all blocks in parallel (io/png/cuda/decode) need not search for them then.
 * The chunk follows the IDAT chunks. Its name marks it as ancillary, private and unsafe to copy.
 *
 * Format: one byte with the version, 1. Then for each IDAT chunk in order the number of its blocks,
 * and for each block except the first its distance in bits from the block before; all numbers are
 * LEB128 varints. The first block begins with the chunk's data, or after the zlib header. Empty
 * stored blocks are not listed. A number of 0 blocks means that the block starts are unknown, or
 * that no block begins with the chunk. */
#ifndef IMGTOOL_IO_PNG_BLOCK_INDEX_H
#define IMGTOOL_IO_PNG_BLOCK_INDEX_H

#include <stdbool.h>

#include "io/metadata/metadata.h"
#include "io/png/idat.h"

#define IMG_PNG_BLOCK_INDEX_TYPE "blKS"

/* --- Writing ---------------------------------------------------------------------------------- */

/* The contents of the chunk so far. Initialise with {0}, free with img_png_block_index_free. */
typedef struct ImgPngBlockIndex {
    uint8_t *bytes;
    size_t size, capacity;
    bool lacks; /* the blocks of some chunk are unknown, which makes the index useless */
} ImgPngBlockIndex;

/* Adds the next IDAT chunk. `starts` ascend from 0 and count bits from the start of its first
 * block. A count of 0 means unknown. Returns false if memory is short. */
bool img_png_block_index_add(ImgPngBlockIndex *index, const uint32_t *starts, size_t count);
void img_png_block_index_free(ImgPngBlockIndex *index);

/* --- Reading ---------------------------------------------------------------------------------- */

/* Block starts from a file, unverified until the blocks have been decoded. Initialise with {0},
 * free with img_png_blocks_free. */
typedef struct ImgPngBlocks {
    uint32_t *starts; /* bit positions in the stream, ascending, before the Adler-32 */
    size_t count;     /* 0: no index, an invalid or incomplete one, or more than `most` blocks */
} ImgPngBlocks;

/* Reads at most `most` blocks. IMG_E_MEMORY is the only failure. */
ImgStatus img_png_blocks_read(const ImgMetadata *metadata, const ImgIdat *idat, size_t most,
                              ImgPngBlocks *blocks, ImgError *err);
void img_png_blocks_free(ImgPngBlocks *blocks);

#endif
