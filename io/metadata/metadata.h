/* All data of a PNG except its pixels. It is kept as the bytes of the file, so that unchanged
 * chunks are written back exactly. A chunk is decoded only if an operation changes its meaning.
 * Chunk names and copying rules: PNG specification, third edition. */
#ifndef IMGTOOL_IO_METADATA_METADATA_H
#define IMGTOOL_IO_METADATA_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

typedef enum ImgChunkPlace {
    IMG_BEFORE_PLTE, /* before PLTE; also before IDAT in a file without PLTE */
    IMG_BEFORE_IDAT,
    IMG_AFTER_IDAT,
} ImgChunkPlace;

/* One ancillary chunk, for example tRNS. */
typedef struct ImgChunk {
    char type[5]; /* four letters and a terminating zero */
    ImgChunkPlace place;
    uint32_t size;
    uint8_t *data; /* data of the chunk, without length, type and CRC; owned by the ImgMetadata */
} ImgChunk;

/* The metadata of a picture. Must start as IMG_METADATA_NONE; freed by img_metadata_free. */
typedef struct ImgMetadata {
    ImgChunk *chunks; /* in file order */
    size_t count, capacity;
    uint8_t palette[256][3]; /* PLTE; also the suggested palette of an RGB or RGBA image */
    int palette_size;        /* 0: no PLTE */
    bool interlaced;         /* Adam7 */
} ImgMetadata;

#define IMG_METADATA_NONE ((ImgMetadata){NULL, 0, 0, {{0}}, 0, false})

void img_metadata_free(ImgMetadata *metadata);

/* Largest number of chunks kept of one file. An ordinary file has a few dozen. Each chunk takes
 * memory besides its bytes. */
enum { IMG_METADATA_CHUNKS_MAX = 100000 };

/* img_metadata_chunk_bytes returns the memory in bytes of chunk number `number` (from 1) with its
 * entry in the list; img_metadata_bytes returns
 * that of all chunks. The first few thousand entries are
 * free: they count as part of the program. */
uint64_t img_metadata_chunk_bytes(size_t number, uint32_t size);
uint64_t img_metadata_bytes(const ImgMetadata *metadata);

/* Returns the first chunk of type `type`, or NULL. */
const ImgChunk *img_metadata_find(const ImgMetadata *metadata, const char *type);

/* Removes all chunks of type `type`. */
void img_metadata_drop(ImgMetadata *metadata, const char *type);

/* Appends a chunk with a copy of the data. */
ImgStatus img_metadata_add(ImgMetadata *metadata, const char *type, ImgChunkPlace place,
                           const uint8_t *data, uint32_t size, ImgError *err);

/* The choices of --strip. */
typedef enum ImgKeep {
    IMG_KEEP_EVERYTHING,
    IMG_KEEP_SHOWN, /* the data that a viewer needs: colours, orientation, resolution; no EXIF, XMP,
                     * text, dates or unknown chunks, so that no time, place, author or device
                     * remains */
    IMG_KEEP_NO_PLACE, /* keep everything except the place (io/metadata/gps.h) */
    IMG_KEEP_PIXELS,   /* keep only the data that the samples need: palette, tRNS and interlacing */
} ImgKeep;

/* Removes all metadata that `keep` does not include. IMG_KEEP_SHOWN keeps `orientation` (from
 * img_metadata_facts) in a minimal EXIF chunk. */
ImgStatus img_metadata_strip(ImgMetadata *metadata, ImgKeep keep, int orientation, ImgError *err);

/* Removes all chunks tEXt, zTXt and iTXt. */
void img_metadata_drop_texts(ImgMetadata *metadata);

/* Returns the transfer function of the samples, in the form of ImgFacts.light. It comes from the
 * first of cICP, iCCP, sRGB and gAMA that is present. ICC profiles are not read and count as sRGB;
 * so does a gAMA of 45455, the value of sRGB. Without any of these chunks samples are sRGB at every
 * depth, as the specification states. */
int32_t img_metadata_light(const ImgMetadata *metadata);

/* Returns the user's term ("colour profile") for the chunk that makes colours differ from sRGB, or
 * NULL if there is none. */
const char *img_metadata_colours(const ImgMetadata *metadata);

#endif
