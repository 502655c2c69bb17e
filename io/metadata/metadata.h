/* Everything of a PNG beside its pixels, kept as the bytes that the file holds: what nobody asked
 * to change is written back exactly as it was read.
 * No chunk is decoded unless an operation changes what it says.
 * Chunk names and copying rules: PNG specification, third edition. */
#ifndef IMGTOOL_IO_METADATA_METADATA_H
#define IMGTOOL_IO_METADATA_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

typedef enum ImgChunkPlace {
    IMG_BEFORE_PLTE, /* also where there is no PLTE and the chunk precedes IDAT */
    IMG_BEFORE_IDAT,
    IMG_AFTER_IDAT,
} ImgChunkPlace;

/* One ancillary chunk, tRNS among them. */
typedef struct ImgChunk {
    char type[5]; /* four letters and a zero */
    ImgChunkPlace place;
    uint32_t size;
    uint8_t *data; /* owned by the ImgMetadata; the chunk's data without length, type and CRC */
} ImgChunk;

/* Start with IMG_METADATA_NONE, end with img_metadata_free. */
typedef struct ImgMetadata {
    ImgChunk *chunks; /* in the order of the file */
    size_t count, capacity;
    uint8_t palette[256][3]; /* PLTE; also the suggested palette of an RGB or RGBA image */
    int palette_size;        /* 0: no PLTE */
    bool interlaced;         /* Adam7 */
} ImgMetadata;

#define IMG_METADATA_NONE ((ImgMetadata){NULL, 0, 0, {{0}}, 0, false})

void img_metadata_free(ImgMetadata *metadata);

/* How many chunks of a file are kept. An ordinary one has a few dozen; each takes memory beyond its
 * bytes. */
enum { IMG_METADATA_CHUNKS_MAX = 100000 };

/* Bytes of memory that chunk number `number`, from 1, takes with its entry in the list; of all
 * chunks. Of the list some thousand entries are the program's own. */
uint64_t img_metadata_chunk_bytes(size_t number, uint32_t size);
uint64_t img_metadata_bytes(const ImgMetadata *metadata);

/* The first chunk of that type, or NULL. */
const ImgChunk *img_metadata_find(const ImgMetadata *metadata, const char *type);

/* Removes all chunks of that type. */
void img_metadata_drop(ImgMetadata *metadata, const char *type);

/* Appends a copy of the data. */
ImgStatus img_metadata_add(ImgMetadata *metadata, const char *type, ImgChunkPlace place,
                           const uint8_t *data, uint32_t size, ImgError *err);

/* --strip */
typedef enum ImgKeep {
    IMG_KEEP_EVERYTHING,
    IMG_KEEP_SHOWN, /* what tells how to show the picture: colours, orientation, resolution. EXIF,
                     * XMP, text, dates and all that is not known are dropped: where it was taken,
                     * when, by whom and with what */
    IMG_KEEP_NO_PLACE, /* all except the place (io/metadata/gps.h) */
    IMG_KEEP_PIXELS,   /* what is needed for the right samples: palette and tRNS, and interlacing */
} ImgKeep;

/* Drops the rest. `orientation`, as img_metadata_facts gives it, is kept by IMG_KEEP_SHOWN as EXIF
 * of its own. */
ImgStatus img_metadata_strip(ImgMetadata *metadata, ImgKeep keep, int orientation, ImgError *err);

/* Drops tEXt, zTXt and iTXt. */
void img_metadata_drop_texts(ImgMetadata *metadata);

/* ImgFacts.light by the first of cICP, iCCP, sRGB and gAMA that there is. Profiles are not read and
 * count as sRGB, as does the gAMA that stands for it, 45455. Where nothing is said, samples are
 * sRGB at every depth, as the specification has it. */
int32_t img_metadata_light(const ImgMetadata *metadata);

/* What gives the colours another look than those of sRGB, for users ("colour profile"), or NULL. */
const char *img_metadata_colours(const ImgMetadata *metadata);

#endif
