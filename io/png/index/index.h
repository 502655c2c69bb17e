/* Private: the chunk that lists where the strips of a picture start in its stream, so that they can
 * be decoded in parallel. A strip is a group of rows whose first row refers to no row above. The
 * chunk is mARK of "PNG Restart Marker", version 0.1, a draft by libspng
 * (https://libspng.org/restart-marker/). Public names are reserved for registered chunks, and
 * pngcheck rejects others. So imgtool writes a private name, maRK, as long as the chunk is a draft.
 * It reads both names. */
#ifndef IMGTOOL_IO_PNG_INDEX_H
#define IMGTOOL_IO_PNG_INDEX_H

#include <stdbool.h>

#include "io/metadata/metadata.h"
#include "io/png/idat.h"

#define IMG_PNG_INDEX_TYPE "maRK"

/* Size of the chunk's data as imgtool writes it, without offsets. */
enum { IMG_PNG_INDEX_BYTES = 6 };

/* The division of rows into strips in the draft. All strips have the same height, except that the
 * first one also has the remainder. */
typedef struct ImgStrips {
    uint32_t count;
    int32_t rows, first_rows;
} ImgStrips;

/* Divides into strips of about `rows` rows (at least 1); each has fewer than twice as many. */
ImgStrips img_strips_divide(int32_t height, int32_t rows);

/* Returns the first row of strip `strip`; if `strip` is the number of strips, the height. */
int32_t img_strips_start(const ImgStrips *strips, uint32_t strip);

/* Returns true if an index may have `count` strips: more than one, and fewer than `height`. */
bool img_png_index_allows(uint32_t count, int32_t height);

/* Returns true if a chunk of type `type` is an index: of this draft, Apple's iDOT, or blKS
 * (block_index.h). An index is valid only for the file that contains it. */
bool img_png_is_index(const char *type);

/* Returns the chunk to pass to img_png_index_read, or NULL if there is none. */
const ImgChunk *img_png_index_find(const ImgMetadata *metadata);

/* Makes the data of the chunk for `count` strips that are one IDAT chunk each. */
void img_png_index_make(uint32_t count, uint8_t index[IMG_PNG_INDEX_BYTES]);

/* A position at which inflating and unfiltering may start independently. It is unverified until the
 * strip is decoded. */
typedef struct ImgPngEntry {
    /* In the stream of all IDAT chunks, in bytes; 0 for the first strip, at the zlib header. */
    uint64_t offset;
    int32_t row;
} ImgPngEntry;

/* The index of a file. Must start as {0}; freed by img_png_index_free. */
typedef struct ImgPngIndex {
    ImgPngEntry *entries; /* one per strip; offsets and rows ascend */
    size_t count;         /* 0: no index, or an invalid one */
} ImgPngIndex;

/* Reads the index from `chunk`, which may be NULL. Fails only with IMG_E_MEMORY; an invalid chunk
 * gives a count of 0. */
ImgStatus img_png_index_read(const ImgChunk *chunk, const ImgIdat *idat, int32_t height,
                             ImgPngIndex *index, ImgError *err);
void img_png_index_free(ImgPngIndex *index);

#endif
