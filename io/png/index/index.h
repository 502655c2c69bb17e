/* Private: the chunk that lists where the strips of a picture start in its stream, so that they can
 * be decoded in parallel. It is mARK of "PNG Restart Marker", version 0.1, a draft by libspng
 * (https://libspng.org/restart-marker/). Public names are reserved for registered chunks, and
 * pngcheck rejects others. So imgtool writes a private name, maRK, as long as the chunk is a draft.
 * It reads both names. */
#ifndef IMGTOOL_IO_PNG_INDEX_H
#define IMGTOOL_IO_PNG_INDEX_H

#include <stdbool.h>

#include "io/metadata/metadata.h"
#include "io/png/idat.h"

#define IMG_PNG_INDEX_TYPE "maRK"

enum { IMG_PNG_INDEX_BYTES = 6 /* in the form that we write: without offsets */ };

/* The division of rows in the draft: all strips have the same height, except that the first one
 * also takes the remainder. */
typedef struct ImgStrips {
    uint32_t count;
    int32_t rows, first_rows;
} ImgStrips;

/* Divides into strips of about `rows` rows (at least 1), each of fewer than twice as many. */
ImgStrips img_strips_divide(int32_t height, int32_t rows);

/* Returns the first row of a strip; for strip number `count` the height. */
int32_t img_strips_start(const ImgStrips *strips, uint32_t strip);

/* Returns true if an index may have that many strips: more than one, and fewer than rows. */
bool img_png_index_allows(uint32_t count, int32_t height);

/* Returns true if a chunk of that type is an index: this draft, Apple's iDOT, or blKS
 * (block_index.h). An index is valid only for the file that holds it. */
bool img_png_is_index(const char *type);

/* Returns the chunk for img_png_index_read, or NULL. */
const ImgChunk *img_png_index_find(const ImgMetadata *metadata);

/* Makes the index of strips that are one IDAT chunk each. */
void img_png_index_make(uint32_t count, uint8_t index[IMG_PNG_INDEX_BYTES]);

/* A position where inflating and unfiltering may start independently; unverified until the strip is
 * decoded. */
typedef struct ImgPngEntry {
    uint64_t offset; /* in the stream of all IDAT chunks; the first one is 0, at the zlib header */
    int32_t row;
} ImgPngEntry;

/* Initialise with {0}, free with img_png_index_free. */
typedef struct ImgPngIndex {
    ImgPngEntry *entries; /* offsets and rows ascend */
    size_t count;         /* 0: no index, or an invalid one */
} ImgPngIndex;

/* `chunk` may be NULL. IMG_E_MEMORY is the only failure. */
ImgStatus img_png_index_read(const ImgChunk *chunk, const ImgIdat *idat, int32_t height,
                             ImgPngIndex *index, ImgError *err);
void img_png_index_free(ImgPngIndex *index);

#endif
