/* Everything of a PNG beside its pixels, kept as the bytes that the file holds: what nobody asked
 * to change is written back exactly as it was read.
 * No chunk is decoded unless an operation changes what it says.
 * Chunk names and copying rules: PNG specification, third edition. */
#ifndef IMGTOOL_IO_METADATA_H
#define IMGTOOL_IO_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/limits.h"
#include "kernels/core/op.h"

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

/* The first chunk of that type, or NULL. */
const ImgChunk *img_metadata_find(const ImgMetadata *metadata, const char *type);

/* Appends a copy of the data. */
ImgStatus img_metadata_add(ImgMetadata *metadata, const char *type, ImgChunkPlace place,
                           const uint8_t *data, uint32_t size, ImgError *err);

/* Facts that operations may ask for. The orientation comes from the first of these that states it:
 * eXIf; the old form of EXIF, a text chunk "Raw profile type exif" or "... APP1"; XMP
 * (tiff:Orientation), also as "Raw profile type xmp"; a text "exif:Orientation" or
 * "tiff:Orientation". What is damaged gives no orientation and is no error. Only texts with such
 * keywords are inflated, and only until the orientation is known; IMG_E_LIMIT if all of them
 * together inflate beyond limits->max_text. */
ImgStatus img_metadata_facts(const ImgMetadata *metadata, const ImgLimits *limits, ImgFacts *facts,
                             ImgError *err);

/* Makes the metadata true of the picture after `effect`: pHYs and sCAL swapped where the axes are;
 * oFFs, sTER, and ImageMagick's caNv and vpAg dropped where the picture was turned or cut; hIST
 * where it was cut; hIST, sBIT, sPLT, pCAL, cLLI and a suggested PLTE where samples have other
 * values now; bKGD and iCCP where colour became gray, for which their form is wrong; the
 * orientation set to 1, wherever img_metadata_facts looks for it, where the picture is upright now
 * (IMG_E_LIMIT as there). Chunks that are neither known nor safe to copy are dropped, and so is
 * dSIG. Nothing is added. */
ImgStatus img_metadata_follow(ImgMetadata *metadata, const ImgEffect *effect,
                              const ImgLimits *limits, ImgError *err);

/* --strip: drops everything that is not needed to show the right pixels. Palette and tRNS stay; so
 * does interlacing. */
void img_metadata_strip(ImgMetadata *metadata);

#endif
