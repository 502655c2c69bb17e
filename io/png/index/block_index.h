/* Private: the chunk that says at which bits the deflate blocks of a picture begin, for decoders
 * that read them all at the same time (io/png/cuda/decode) and would have to look for them: blKS,
 * after the IDAT chunks that it speaks of. Its name says: ancillary, private, unsafe to copy.
 *
 * A byte, 1: the version. Then for each IDAT chunk in order how many of its blocks are told, and
 * for each of these but the first how many bits after the one before it begins; all numbers as
 * LEB128 varints. The first begins with the chunk's data, or behind the header of the zlib stream.
 * Empty stored blocks are passed over. No blocks: it is not known where they begin, or that a block
 * begins with the chunk. */
#ifndef IMGTOOL_IO_PNG_BLOCK_INDEX_H
#define IMGTOOL_IO_PNG_BLOCK_INDEX_H

#include <stdbool.h>

#include "io/metadata/metadata.h"
#include "io/png/idat.h"

#define IMG_PNG_BLOCK_INDEX_TYPE "blKS"

/* --- Writing ---------------------------------------------------------------------------------- */

/* What the chunk holds so far. Start with {0}, end with img_png_block_index_free. */
typedef struct ImgPngBlockIndex {
    uint8_t *bytes;
    size_t size, capacity;
    bool lacks; /* some chunk's blocks: then nobody would use it */
} ImgPngBlockIndex;

/* Adds the next IDAT chunk: `starts` ascend from 0 and count from the bit where the first of its
 * blocks begins. count 0: they are not known. False: no memory. */
bool img_png_block_index_add(ImgPngBlockIndex *index, const uint32_t *starts, size_t count);
void img_png_block_index_free(ImgPngBlockIndex *index);

/* --- Reading ---------------------------------------------------------------------------------- */

/* To be believed only once the blocks have been read. Start with {0}, end with img_png_blocks_free.
 */
typedef struct ImgPngBlocks {
    uint32_t *starts; /* bits of the stream; they ascend, and lie before its Adler-32 */
    size_t count;     /* 0: there is no index, or it is invalid, leaves a chunk's blocks out, or has
                       * more than were asked for */
} ImgPngBlocks;

/* At most `most` blocks. IMG_E_MEMORY is the only failure. */
ImgStatus img_png_blocks_read(const ImgMetadata *metadata, const ImgIdat *idat, size_t most,
                              ImgPngBlocks *blocks, ImgError *err);
void img_png_blocks_free(ImgPngBlocks *blocks);

#endif
