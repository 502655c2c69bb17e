/* Private: the chunk that says where the strips of a picture start in its stream, so that they can
 * be decoded at the same time: mARK of "PNG Restart Marker", version 0.1, a draft by libspng
 * (https://libspng.org/restart-marker/). Public names are for registered chunks only, and pngcheck
 * refuses others: as long as the draft is none, it is written with a private name, maRK. Both are
 * read. */
#ifndef IMGTOOL_IO_PNG_INDEX_H
#define IMGTOOL_IO_PNG_INDEX_H

#include <stdbool.h>

#include "io/metadata/metadata.h"
#include "io/png/idat.h"

#define IMG_PNG_INDEX_TYPE "maRK"

enum { IMG_PNG_INDEX_BYTES = 6 /* as we write it: without offsets */ };

/* How the draft divides rows: all strips are equally high, but the first takes what remains. */
typedef struct ImgStrips {
    uint32_t count;
    int32_t rows, first_rows;
} ImgStrips;

/* Strips of about `rows` rows (at least 1), no strip of twice as many. */
ImgStrips img_strips_divide(int32_t height, int32_t rows);

/* The first row of a strip; that of number `count` is the height. */
int32_t img_strips_start(const ImgStrips *strips, uint32_t strip);

/* True if there may be an index of that many strips: of more than one, fewer than there are rows.
 */
bool img_png_index_allows(uint32_t count, int32_t height);

/* Is a chunk of that type an index, of this draft, Apple's iDOT or that of blocks (block_index.h)?
 * It is true of one file only. */
bool img_png_is_index(const char *type);

/* The chunk that img_png_index_read takes, or NULL. */
const ImgChunk *img_png_index_find(const ImgMetadata *metadata);

/* For strips that are one IDAT chunk each. */
void img_png_index_make(uint32_t count, uint8_t index[IMG_PNG_INDEX_BYTES]);

/* A place where inflating and unfiltering may start afresh; to be believed only once it has. */
typedef struct ImgPngEntry {
    uint64_t offset; /* in the stream of all IDAT chunks; that of the first is 0, where the header
                      * of the stream stands */
    int32_t row;
} ImgPngEntry;

/* Start with {0}, end with img_png_index_free. */
typedef struct ImgPngIndex {
    ImgPngEntry *entries; /* offsets and rows ascend */
    size_t count;         /* 0: there is no index, or it is invalid */
} ImgPngIndex;

/* `chunk` may be NULL. IMG_E_MEMORY is the only failure. */
ImgStatus img_png_index_read(const ImgChunk *chunk, const ImgIdat *idat, int32_t height,
                             ImgPngIndex *index, ImgError *err);
void img_png_index_free(ImgPngIndex *index);

#endif
