/* Private: checks PLTE, the chunks that refer to its entries, and tRNS. */
#ifndef IMGTOOL_IO_PNG_PALETTE_H
#define IMGTOOL_IO_PNG_PALETTE_H

#include "io/metadata/metadata.h"
#include "kernels/core/image.h"

/* Records which parts were dropped. */
typedef struct ImgPngPaletteFlaws {
    bool useless; /* an invalid PLTE, which the picture does not need */
    /* Palette entries that no index can reach, and the parts of chunks that refer to them. */
    bool too_long;
    bool beyond;       /* references of hIST or bKGD to entries outside a palette of valid length */
    bool transparency; /* a tRNS chunk that is not applied */
} ImgPngPaletteFlaws;

/* Stores the first PLTE of a file in `metadata`. `after_idat` is true if it follows the pixels. If
 * the picture is not a palette image, an invalid PLTE is dropped and recorded in `flaws`. */
ImgStatus img_png_take_palette(ImgFormat format, const uint8_t *data, uint32_t size,
                               bool after_idat, ImgMetadata *metadata, ImgPngPaletteFlaws *flaws,
                               ImgError *err);

/* Removes the parts of hIST and bKGD that refer to missing palette entries. Called for palette
 * images, after all chunks are read. */
void img_png_fit_to_palette(ImgMetadata *metadata, ImgPngPaletteFlaws *flaws);

/* Keeps the tRNS chunk that libpng applies, as most viewers do, and drops all others: those of a
 * wrong size or position, and later ones. Called after all chunks are read. */
void img_png_select_transparency(ImgFormat format, ImgMetadata *metadata,
                                 ImgPngPaletteFlaws *flaws);

#endif
