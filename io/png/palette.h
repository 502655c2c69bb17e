/* Private: checks the palette (PLTE), the chunks that refer to its entries, and transparency
 * (tRNS). */
#ifndef IMGTOOL_IO_PNG_PALETTE_H
#define IMGTOOL_IO_PNG_PALETTE_H

#include "io/metadata/metadata.h"
#include "kernels/core/image.h"

/* Records which parts of PLTE, tRNS, hIST and bKGD were dropped. */
typedef struct ImgPngPaletteFlaws {
    bool useless; /* True if an invalid PLTE was dropped that the picture does not need. */
    /* True if palette entries were dropped that no index can reach, or the parts of hIST and bKGD
     * that refer to them. */
    bool too_long;
    /* True if parts of hIST or bKGD were dropped that refer to entries outside a palette of valid
     * length. */
    bool beyond;
    bool transparency; /* true if a tRNS chunk was dropped that libpng would not apply */
} ImgPngPaletteFlaws;

/* Stores the first PLTE of a file in `metadata`. `after_idat` is true if this chunk follows the
 * pixels. If the picture is not a palette image, an invalid PLTE is dropped and recorded in
 * `flaws`; otherwise it is an error. */
ImgStatus img_png_take_palette(ImgFormat format, const uint8_t *data, uint32_t size,
                               bool after_idat, ImgMetadata *metadata, ImgPngPaletteFlaws *flaws,
                               ImgError *err);

/* Removes the parts of hIST and bKGD that refer to missing palette entries. Must be called for
 * palette images, after all chunks have been read. */
void img_png_fit_to_palette(ImgMetadata *metadata, ImgPngPaletteFlaws *flaws);

/* Keeps the tRNS chunk that libpng and most viewers apply, and drops all others. These have a wrong
 * size or position, or follow the first valid one. Must be called after all chunks have been
 * read. */
void img_png_select_transparency(ImgFormat format, ImgMetadata *metadata,
                                 ImgPngPaletteFlaws *flaws);

#endif
