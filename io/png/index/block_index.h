/* Private: the chunk blKS, which lists the bit positions at which the deflate blocks of a picture
 * begin. Decoders that inflate all blocks in parallel (io/png/cuda/decode) then need not search for
 * blocks. The chunk follows the IDAT chunks. Its name marks it as ancillary, private and unsafe to
 * copy.
 *
 * Format: the first byte is the version, 1. For each IDAT chunk in order, the number of its blocks
 * follows. Then follows, for each block except the first, its distance in bits from the block
 * before. All numbers are LEB128 varints. The first block begins at the start of the chunk's data,
 * or after the zlib header. Empty stored blocks are not listed. A number of 0 blocks means that the
 * block starts are unknown, or that no block begins at the start of the chunk. */
#ifndef IMGTOOL_IO_PNG_INDEX_BLOCK_INDEX_H
#define IMGTOOL_IO_PNG_INDEX_BLOCK_INDEX_H

#include <stdbool.h>

#include "io/metadata/metadata.h"
#include "io/png/idat.h"

#define IMG_PNG_BLOCK_INDEX_TYPE "blKS"

/* --- Writing an index ------------------------------------------------------------------------- */

/* The contents of the chunk while it is being created. Must be initialised with {0};
 * img_png_block_index_free frees it. */
typedef struct ImgPngBlockIndex {
    uint8_t *bytes;
    size_t size, capacity;
    /* True if the blocks of at least one IDAT chunk are unknown, which makes the index useless. */
    bool lacks;
} ImgPngBlockIndex;

/* Adds the blocks of the next IDAT chunk. `starts` are ascending bit positions, counted from the
 * start of its first block, so the first entry is 0. If `count` is 0, the block starts of this
 * chunk are unknown. Returns false if memory is short. */
bool img_png_block_index_add(ImgPngBlockIndex *index, const uint32_t *starts, size_t count);
void img_png_block_index_free(ImgPngBlockIndex *index);

/* --- Reading an index ------------------------------------------------------------------------- */

/* Block starts that were read from a file. They are unverified until the blocks have been decoded.
 * Must be initialised with {0}; img_png_blocks_free frees them. */
typedef struct ImgPngBlocks {
    uint32_t *starts; /* ascending bit positions in the stream, all before the Adler-32 */
    /* Number of block starts. It is 0 if the file has no index, or if the index is invalid,
     * incomplete, or too long. */
    size_t count;
} ImgPngBlocks;

/* Reads the block starts from the chunk blKS of the file. Fails only with IMG_E_MEMORY. If the
 * chunk is missing, invalid, or has more than `most` block starts, sets blocks->count to 0. */
ImgStatus img_png_blocks_read(const ImgMetadata *metadata, const ImgIdat *idat, size_t most,
                              ImgPngBlocks *blocks, ImgError *err);
void img_png_blocks_free(ImgPngBlocks *blocks);

#endif
