/* Everything of a PNG except its pixels, kept as the bytes of the file, so that unchanged chunks
 * are written back exactly. A chunk is decoded only if an operation changes its meaning. Chunk
 * names and copying rules: PNG specification, third edition. */
#ifndef IMGTOOL_IO_METADATA_METADATA_H
#define IMGTOOL_IO_METADATA_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

typedef enum ImgChunkPlace {
    IMG_BEFORE_PLTE, /* also if there is no PLTE and the chunk precedes IDAT */
    IMG_BEFORE_IDAT,
    IMG_AFTER_IDAT,
} ImgChunkPlace;

/* One ancillary chunk; tRNS is one of them. */
typedef struct ImgChunk {
    char type[5]; /* four letters and a zero */
    ImgChunkPlace place;
    uint32_t size;
    uint8_t *data; /* owned by the ImgMetadata; the data without length, type and CRC */
} ImgChunk;

/* Initialise with IMG_METADATA_NONE, free with img_metadata_free. */
typedef struct ImgMetadata {
    ImgChunk *chunks; /* in file order */
    size_t count, capacity;
    uint8_t palette[256][3]; /* PLTE; also the suggested palette of an RGB or RGBA image */
    int palette_size;        /* 0: no PLTE */
    bool interlaced;         /* Adam7 */
} ImgMetadata;

#define IMG_METADATA_NONE ((ImgMetadata){NULL, 0, 0, {{0}}, 0, false})

void img_metadata_free(ImgMetadata *metadata);

/* The largest number of chunks kept of one file. An ordinary file has a few dozen; each chunk takes
 * memory beyond its bytes. */
enum { IMG_METADATA_CHUNKS_MAX = 100000 };

/* Returns the bytes of memory of chunk number `number` (from 1) with its entry in the list, or of
 * all chunks. The first few thousand entries count as part of the program. */
uint64_t img_metadata_chunk_bytes(size_t number, uint32_t size);
uint64_t img_metadata_bytes(const ImgMetadata *metadata);

/* Returns the first chunk of that type, or NULL. */
const ImgChunk *img_metadata_find(const ImgMetadata *metadata, const char *type);

/* Removes all chunks of that type. */
void img_metadata_drop(ImgMetadata *metadata, const char *type);

/* Appends a copy of the data. */
ImgStatus img_metadata_add(ImgMetadata *metadata, const char *type, ImgChunkPlace place,
                           const uint8_t *data, uint32_t size, ImgError *err);

/* The choices of --strip. */
typedef enum ImgKeep {
    IMG_KEEP_EVERYTHING,
    IMG_KEEP_SHOWN, /* keep what a viewer needs: colours, orientation, resolution; drop EXIF, XMP,
                     * text, dates and unknown chunks, so that no time, place, author or device
                     * remains */
    IMG_KEEP_NO_PLACE, /* keep everything except the place (io/metadata/gps.h) */
    IMG_KEEP_PIXELS,   /* keep only what the samples need: palette, tRNS and interlacing */
} ImgKeep;

/* Drops all metadata that `keep` does not name. IMG_KEEP_SHOWN keeps `orientation` (from
 * img_metadata_facts) in a minimal EXIF chunk. */
ImgStatus img_metadata_strip(ImgMetadata *metadata, ImgKeep keep, int orientation, ImgError *err);

/* Drops tEXt, zTXt and iTXt. */
void img_metadata_drop_texts(ImgMetadata *metadata);

/* Returns ImgFacts.light, the transfer function of the samples, from the first of cICP, iCCP, sRGB
 * and gAMA that is present. ICC profiles are not read and count as sRGB, and so does the gAMA value
 * of sRGB, 45455. Without any of these chunks samples are sRGB at every depth, as the specification
 * says. */
int32_t img_metadata_light(const ImgMetadata *metadata);

/* Returns a user's term for the chunk that makes colours differ from sRGB ("colour profile"), or
 * NULL. */
const char *img_metadata_colours(const ImgMetadata *metadata);

#endif
