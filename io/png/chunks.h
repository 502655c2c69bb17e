/* Private: checks the chunks of a PNG in memory before any decoder reads them: their framing, their
 * order, and the CRC of every chunk except IDAT. Damaged parts that the pixels do not need are
 * dropped and recorded. io/png/README.md compares this with libpng. */
#ifndef IMGTOOL_IO_PNG_CHUNKS_H
#define IMGTOOL_IO_PNG_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/metadata/metadata.h"
#include "io/png/palette.h"
#include "kernels/core/image.h"

enum {
    IMG_PNG_SIGNATURE_BYTES = 8,
    IMG_PNG_FRAME_BYTES = 12,  /* bytes of a chunk besides its data: length, type and CRC */
    IMG_PNG_HEADER_BYTES = 33, /* signature and IHDR */
    IMG_PNG_PART_BYTES = 24,   /* memory that a decoder uses per IDAT chunk (idat.h) */
};

typedef struct ImgPngHeader {
    ImgShape shape;
    bool interlaced;
} ImgPngHeader;

typedef struct ImgPngScan {
    size_t size; /* bytes of the file up to the end of IEND */
    /* Frames of an APNG; 0 for a still picture, and for an APNG whose only frame is the still
     * picture. */
    uint32_t frames;
    /* The file has APNG chunks that form no animation: acTL after IDAT, or with 0 frames. */
    bool odd_animation;
    ImgPngPaletteFlaws palette;
    /* Parts that were dropped, for which libpng gives a warning. */
    bool late_idat; /* IDAT chunks after the first contiguous group of them */
    bool full_end;  /* IEND has data */
    /* Types of ancillary chunks with a wrong CRC: "iCCP, tEXt", as many as fit. */
    char wrong_crc[64];
} ImgPngScan;

/* A budget in bytes of memory: `used` for the file and its pixels, `limit` for file, pixels and
 * chunks together. */
typedef struct ImgPngBudget {
    uint64_t used, limit;
    const char *more; /* ImgLimits.more_memory */
} ImgPngBudget;

/* Returns true if the data starts with the 8-byte PNG signature. */
bool img_png_is_signed(const uint8_t *data, size_t size);

/* Reads the first IMG_PNG_HEADER_BYTES of a file. Accepts sizes from 1 to 2^31 - 1. */
ImgStatus img_png_header(const uint8_t *data, ImgPngHeader *header, ImgError *err);

/* Returns true if an IDAT chunk is empty and has the right CRC; such chunks can be skipped. `chunk`
 * points to its length field. */
bool img_png_idat_is_idle(const uint8_t *chunk);

/* Reads all chunks of a file whose header img_png_header accepted. PLTE and ancillary chunks go to
 * `metadata`, which the caller frees even after a failure. Fails with IMG_E_LIMIT if these chunks,
 * and the lists of many chunks, need more memory than the budget has left.
 *
 * Drops the parts that do not apply. For palette images these are palette entries that no index can
 * reach, and the parts of hIST and bKGD that refer to missing entries. For all images these are
 * tRNS chunks that palette.h does not select, so that at most one of the right size remains. */
ImgStatus img_png_scan(const uint8_t *data, size_t size, const ImgPngHeader *header,
                       ImgPngBudget budget, ImgMetadata *metadata, ImgPngScan *scan, ImgError *err);

#endif
