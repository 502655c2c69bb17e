/* Private: checks the chunks of a PNG in memory before any decoder reads them: framing, order, and
 * the CRC of every chunk except IDAT. Damage outside the parts that pixels need is dropped and
 * recorded. io/png/README.md compares this with libpng. */
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
    size_t size;        /* bytes up to the end of IEND */
    uint32_t frames;    /* frames of an APNG; 0 for a still picture, and for an APNG whose only
                         * frame is the still picture */
    bool odd_animation; /* APNG chunks that form no animation: acTL after IDAT, or with 0 frames */
    ImgPngPaletteFlaws palette;
    /* Parts that were dropped, for which libpng gives a warning. */
    bool late_idat;     /* IDAT chunks separated by other chunks; only the first group counts */
    bool full_end;      /* IEND had data */
    char wrong_crc[64]; /* ancillary chunks with a wrong CRC: "iCCP, tEXt", as many as fit */
} ImgPngScan;

/* Bytes of memory: `used` by the file and its pixels, `limit` for these and the chunks. */
typedef struct ImgPngBudget {
    uint64_t used, limit;
    const char *more; /* ImgLimits.more_memory */
} ImgPngBudget;

/* Returns true if the data starts with the 8-byte PNG signature. */
bool img_png_is_signed(const uint8_t *data, size_t size);

/* Reads the first IMG_PNG_HEADER_BYTES of a file. Accepts sizes from 1 to 2^31 - 1. */
ImgStatus img_png_header(const uint8_t *data, ImgPngHeader *header, ImgError *err);

/* Returns true if an IDAT chunk is empty and has the right CRC. `chunk` points to its length field.
 * Such chunks can be skipped. */
bool img_png_idat_is_idle(const uint8_t *chunk);

/* Reads all chunks of a file whose header was accepted. PLTE and ancillary chunks go to `metadata`,
 * which the caller frees even after a failure. Fails with IMG_E_LIMIT if these chunks, and the
 * lists of many chunks, need more memory than the budget has left.
 *
 * Drops what does not apply. For palette images: palette entries that no index can reach, and the
 * parts of hIST and bKGD for missing entries. For all images: tRNS chunks that do not count
 * (palette.h), so that at most one remains, of the right size. */
ImgStatus img_png_scan(const uint8_t *data, size_t size, const ImgPngHeader *header,
                       ImgPngBudget budget, ImgMetadata *metadata, ImgPngScan *scan, ImgError *err);

#endif
