/* Private: the chunk blKS, which lists the bit positions at which the deflate blocks of a picture
 * begin. With it, decoders that inflate all blocks in parallel (io/png/cuda/decode) need not search
 * for blocks. The chunk follows the IDAT chunks. Its name marks it as ancillary, private and unsafe
 * to copy.
 *
 * Format: one byte with the version, 1. Then, for each IDAT chunk in order, the number of its
 * blocks, and for each block except the first its distance in bits from the block before. All
 * numbers are LEB128 varints. The first block begins with the chunk's data, or after the zlib
 * header. Empty stored blocks are not listed. A number of 0 blocks means that the block starts are
 * unknown, or that no block begins at the start of the chunk. */
#ifndef IMGTOOL_IO_PNG_BLOCK_INDEX_H
#define IMGTOOL_IO_PNG_BLOCK_INDEX_H

#include <stdbool.h>

#include "io/metadata/metadata.h"
#include "io/png/idat.h"

#define IMG_PNG_BLOCK_INDEX_TYPE "blKS"

/* --- Writing ---------------------------------------------------------------------------------- */

/* The contents of the chunk so far. Must start as {0}; freed by img_png_block_index_free. */
typedef struct ImgPngBlockIndex {
    uint8_t *bytes;
    size_t size, capacity;
    /* True if the blocks of any IDAT chunk are unknown, which makes the index useless. */
    bool lacks;
} ImgPngBlockIndex;

/* Adds the next IDAT chunk. `starts` are the starts of its blocks in ascending order, in bits from
 * its first block, so they begin with 0. A `count` of 0 means that they are unknown. Returns false
 * if memory is short. */
bool img_png_block_index_add(ImgPngBlockIndex *index, const uint32_t *starts, size_t count);
void img_png_block_index_free(ImgPngBlockIndex *index);

/* --- Reading ---------------------------------------------------------------------------------- */

/* Block starts read from a file; unverified until the blocks have been decoded. Must start as {0};
 * freed by img_png_blocks_free. */
typedef struct ImgPngBlocks {
    uint32_t *starts; /* bit positions in the stream, ascending, all before the Adler-32 */
    /* 0: there is no index, it is invalid or incomplete, or it has more than `most` blocks. */
    size_t count;
} ImgPngBlocks;

/* Reads the block starts of the file's chunk, at most `most`. Fails only with IMG_E_MEMORY; an
 * invalid chunk gives a count of 0. */
ImgStatus img_png_blocks_read(const ImgMetadata *metadata, const ImgIdat *idat, size_t most,
                              ImgPngBlocks *blocks, ImgError *err);
void img_png_blocks_free(ImgPngBlocks *blocks);

#endif
