/* Private: the container of a PNG in memory, checked chunk by chunk before any decoder sees it.
 * Framing, order and the CRC of every chunk but IDAT are verified here. What harms only a part that
 * pictures do without is dropped and noted; io/png/README.md says how that compares to libpng. */
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
    IMG_PNG_FRAME_BYTES = 12,  /* of a chunk beside its data: length, type and CRC */
    IMG_PNG_HEADER_BYTES = 33, /* signature and IHDR */
    IMG_PNG_PART_BYTES = 24,   /* that a decoder keeps of each IDAT chunk (idat.h) */
};

typedef struct ImgPngHeader {
    ImgShape shape;
    bool interlaced;
} ImgPngHeader;

typedef struct ImgPngScan {
    size_t size;        /* bytes up to the end of IEND */
    uint32_t frames;    /* of an APNG; 0: a still picture, also where the only frame is it */
    bool odd_animation; /* chunks of an APNG that make none: acTL after IDAT, or of no frame */
    ImgPngPaletteFlaws palette;
    /* What was dropped, as libpng does with a warning. */
    bool late_idat;     /* IDAT chunks after other chunks, past the end of the pixels */
    bool full_end;      /* what IEND held */
    char wrong_crc[64]; /* the ancillary chunks with a wrong CRC: "iCCP, tEXt", as many as fit */
} ImgPngScan;

/* Bytes of memory: what the file and its pixels take, and what they and the chunks may take. */
typedef struct ImgPngBudget {
    uint64_t used, limit;
    const char *more; /* ImgLimits.more_memory */
} ImgPngBudget;

/* True if the data starts with the eight bytes of every PNG. */
bool img_png_is_signed(const uint8_t *data, size_t size);

/* Reads the first IMG_PNG_HEADER_BYTES of a file. Sizes may be anything from 1 to 2^31 - 1. */
ImgStatus img_png_header(const uint8_t *data, ImgPngHeader *header, ImgError *err);

/* Of a chunk IDAT in a file, from its length on: is it without data and sound? Nothing is lost
 * without it. */
bool img_png_idat_is_idle(const uint8_t *chunk);

/* Walks a whole file whose header was accepted. Every ancillary chunk and PLTE go to `metadata`,
 * which the caller frees also on failure; IMG_E_LIMIT if those chunks, and the lists of many, take
 * more than the budget leaves. Of a palette image, palette entries that its pixels cannot name are
 * dropped, and what hIST and bKGD say of entries that are not in the palette; of any image, tRNS
 * that does not count (palette.h): there is one at most, of the right size. */
ImgStatus img_png_scan(const uint8_t *data, size_t size, const ImgPngHeader *header,
                       ImgPngBudget budget, ImgMetadata *metadata, ImgPngScan *scan, ImgError *err);

#endif
