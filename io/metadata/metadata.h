/* All data of a PNG except its pixels. The data is kept as the bytes of the file, so that unchanged
 * chunks are written back exactly. A chunk is decoded only if an operation changes its meaning.
 * Chunk names and copying rules are those of the PNG specification, third edition. */
#ifndef IMGTOOL_IO_METADATA_METADATA_H
#define IMGTOOL_IO_METADATA_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/color/palette.h"
#include "kernels/core/status.h"

typedef enum ImgChunkPlace {
    IMG_BEFORE_PLTE, /* before PLTE; in a file without PLTE, before IDAT */
    IMG_BEFORE_IDAT,
    IMG_AFTER_IDAT,
} ImgChunkPlace;

/* One ancillary chunk, for example tRNS. */
typedef struct ImgChunk {
    char type[5]; /* four letters and a terminating zero */
    ImgChunkPlace place;
    uint32_t size;
    uint8_t *data; /* data without length, type and CRC; owned by the ImgMetadata */
} ImgChunk;

/* The metadata of a picture. Must start as IMG_METADATA_NONE; freed by img_metadata_free. */
typedef struct ImgMetadata {
    ImgChunk *chunks; /* the chunks in the order of the file */
    size_t count, capacity;
    /* Entries of PLTE, which in an RGB or RGBA image are a suggested palette. */
    uint8_t palette[256][3];
    int palette_size; /* number of entries; 0: no PLTE */
    bool interlaced;  /* true if the picture is interlaced (Adam7) */
} ImgMetadata;

#define IMG_METADATA_NONE ((ImgMetadata){NULL, 0, 0, {{0}}, 0, false})

void img_metadata_free(ImgMetadata *metadata);

/* Largest number of chunks of a file that are kept. An ordinary file has a few dozen. A limit is
 * needed, because each chunk takes memory besides its data. */
enum { IMG_METADATA_CHUNKS_MAX = 100000 };

/* img_metadata_chunk_bytes returns the memory of chunk number `number` (counted from 1) in bytes,
 * including its entry in the list of chunks. img_metadata_bytes returns the memory of all chunks.
 * The list entries of the first 4096 chunks are not counted, because they belong to the fixed
 * memory of the program. */
uint64_t img_metadata_chunk_bytes(size_t number, uint32_t size);
uint64_t img_metadata_bytes(const ImgMetadata *metadata);

/* Returns the first chunk of type `type`, or NULL if there is no such chunk. */
const ImgChunk *img_metadata_find(const ImgMetadata *metadata, const char *type);

/* Removes all chunks of type `type` and frees their data. */
void img_metadata_drop(ImgMetadata *metadata, const char *type);

/* Appends a chunk with a copy of the `size` bytes at `data`. */
ImgStatus img_metadata_add(ImgMetadata *metadata, const char *type, ImgChunkPlace place,
                           const uint8_t *data, uint32_t size, ImgError *err);

/* Adds a chunk as img_metadata_add does, but sets `*data` to its `size` bytes, which the caller
 * must fill. */
ImgStatus img_metadata_add_space(ImgMetadata *metadata, const char *type, ImgChunkPlace place,
                                 uint32_t size, uint8_t **data, ImgError *err);

/* The choices of the option --strip: which metadata to keep. */
typedef enum ImgKeep {
    IMG_KEEP_EVERYTHING,
    /* Keep the data that a viewer needs: colours, orientation, resolution. EXIF, XMP, text, dates
     * and unknown chunks are removed, so that no time, place, author or device remains. */
    IMG_KEEP_SHOWN,
    /* Keep everything except the place where the picture was taken (io/metadata/gps.h). */
    IMG_KEEP_NO_PLACE,
    IMG_KEEP_PIXELS, /* keep only the data that the samples need: palette, tRNS and interlacing */
} ImgKeep;

/* Removes all metadata that `keep` excludes. With IMG_KEEP_SHOWN the orientation `orientation`
 * (from img_metadata_facts) is kept in a minimal EXIF chunk. */
ImgStatus img_metadata_strip(ImgMetadata *metadata, ImgKeep keep, int orientation, ImgError *err);

/* Removes all text chunks: tEXt, zTXt and iTXt. */
void img_metadata_drop_texts(ImgMetadata *metadata);

/* Returns the transfer function of the samples, in the form of ImgFacts.light. It comes from the
 * first of cICP, iCCP, sRGB and gAMA that is present. iCCP counts as sRGB, because ICC profiles are
 * not read. A gAMA of 45455, the value of sRGB, also counts as sRGB. Without any of these chunks
 * samples are sRGB at every depth, as the specification states. */
int32_t img_metadata_light(const ImgMetadata *metadata);

/* Returns the user's term, such as "colour profile", for the chunk that makes colours differ from
 * sRGB. Returns NULL if there is no such chunk. */
const char *img_metadata_colours(const ImgMetadata *metadata);

/* --- Metadata that an output format cannot store ---------------------------------------------- */

enum {
    IMG_METADATA_LOSS_TEXT = 288,
    /* Room in bytes for the text of img_encode_loss (io/encode.h): 96 bytes for losses in the
     * pixels, and the lost metadata. */
    IMG_LOSS_TEXT = IMG_METADATA_LOSS_TEXT + 96
};

/* Writes to `text` a list of the metadata that is lost if the output file stores no metadata.
 * Example: "lost: the colour profile 'Display P3', EXIF and text; colours may look different".
 * Omits chunks that only confirm sRGB, and tRNS and bKGD, because the conversion of pixels applies
 * these. Returns false if the list is empty. */
bool img_metadata_describe_loss(const ImgMetadata *metadata, char text[IMG_METADATA_LOSS_TEXT]);

/* --- Orientation ------------------------------------------------------------------------------ */

/* Private to io/metadata: the orientation of a picture, in all places where a PNG may state it. */
/* Sets `*orientation` to 1 to 8, or to 0 if no chunk states an orientation. Fails with IMG_E_LIMIT
 * if all texts together inflate to more than `max_text` bytes. */
ImgStatus img_orientation_read(const ImgMetadata *metadata, size_t max_text, int *orientation,
                               ImgError *err);

/* Sets the orientation to 1 in every chunk that states another orientation. */
ImgStatus img_orientation_reset(ImgMetadata *metadata, size_t max_text, ImgError *err);

/* --- The palette ------------------------------------------------------------------------------ */

/* Converts the chunks PLTE and tRNS to the palette that operations use, and back. */
/* Reads the palette of a picture from PLTE and tRNS. The pixels of the picture are indices of
 * `bits` bits. */
void img_metadata_palette(const ImgMetadata *metadata, int bits, ImgPalette *palette);

/* Adds to PLTE and tRNS the entries that were appended to `palette` since img_metadata_palette. If
 * there are any, removes hIST, which counts the pixels of each entry. May fail with
 * IMG_E_MEMORY. */
ImgStatus img_metadata_add_entries(ImgMetadata *metadata, const ImgPalette *palette, ImgError *err);

/* Sets PLTE and tRNS to `palette`, for pixels that were channels and are now indices. Drops chunks
 * that depend on the old form: hIST, sPLT and bKGD. */
ImgStatus img_metadata_set_palette(ImgMetadata *metadata, const ImgPalette *palette, ImgError *err);

#endif
