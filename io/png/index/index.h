/* Private: the chunk that lists where the strips of a picture start in its stream, so that they can
 * be decoded in parallel. A strip is a group of rows whose first row refers to no row above.
 *
 * The chunk is mARK of "PNG Restart Marker", version 0.1, a draft by libspng
 * (https://libspng.org/restart-marker/). Public names are reserved for registered chunks, and
 * pngcheck rejects others. So imgtool writes a private name, maRK, as long as the chunk is a draft.
 * It reads both names. */
#ifndef IMGTOOL_IO_PNG_INDEX_INDEX_H
#define IMGTOOL_IO_PNG_INDEX_INDEX_H

#include <stdbool.h>

#include "io/metadata/metadata.h"
#include "io/png/idat.h"

#define IMG_PNG_INDEX_TYPE "maRK"

/* Size in bytes of the data that img_png_index_make writes. The data contains no offsets. */
enum { IMG_PNG_INDEX_BYTES = 6 };

/* The division of a picture's rows into strips, as the draft defines it. All strips have the same
 * height, except that the first strip also has the remaining rows. */
typedef struct ImgStrips {
    uint32_t count;
    int32_t rows, first_rows;
} ImgStrips;

/* Divides `height` rows into strips of about `rows` rows (at least 1). Each strip has fewer than
 * twice as many rows. */
ImgStrips img_strips_divide(int32_t height, int32_t rows);

/* Returns the index of the first row of strip `strip`. If `strip` is the number of strips, returns
 * the height. */
int32_t img_strips_start(const ImgStrips *strips, uint32_t strip);

/* Returns true if an index may list `count` strips. Their number must be more than one and less
 * than `height`. */
bool img_png_index_allows(uint32_t count, int32_t height);

/* Returns true if chunks of this type are indexes: those of this draft, Apple's iDOT, and blKS
 * (block_index.h). An index is valid only for the file that contains it, so it must not be copied
 * to another file. */
bool img_png_is_index(const char *type);

/* Returns the chunk for img_png_index_read, or NULL if the file has none. */
const ImgChunk *img_png_index_find(const ImgMetadata *metadata);

/* Creates the data of the index chunk for a file with `count` strips. Each strip must be exactly
 * one IDAT chunk. */
void img_png_index_make(uint32_t count, uint8_t index[IMG_PNG_INDEX_BYTES]);

/* A position at which inflating and unfiltering can start without the data before it. It is
 * unverified until the strip has been decoded. */
typedef struct ImgPngEntry {
    /* Offset in bytes in the stream of all IDAT chunks. It is 0 for the first strip, which starts
     * with the zlib header. */
    uint64_t offset;
    int32_t row;
} ImgPngEntry;

/* The strips that a file lists. Must be initialised with {0}; img_png_index_free frees it. */
typedef struct ImgPngIndex {
    ImgPngEntry *entries; /* one entry per strip, with ascending offsets and rows */
    size_t count;         /* number of entries; 0 if there is no index or it is invalid */
} ImgPngIndex;

/* Reads the strips from `chunk`, which may be NULL. Fails only with IMG_E_MEMORY. If the chunk is
 * invalid, sets index->count to 0. */
ImgStatus img_png_index_read(const ImgChunk *chunk, const ImgIdat *idat, int32_t height,
                             ImgPngIndex *index, ImgError *err);
void img_png_index_free(ImgPngIndex *index);

#endif
