/* Private: checks PLTE, the chunks that refer to its entries, and tRNS. */
#ifndef IMGTOOL_IO_PNG_PALETTE_H
#define IMGTOOL_IO_PNG_PALETTE_H

#include "io/metadata/metadata.h"
#include "kernels/core/image.h"

/* Parts that were dropped. */
typedef struct ImgPngPaletteFlaws {
    bool useless;      /* an invalid PLTE of a picture that does not need one */
    bool too_long;     /* palette entries that no index can reach, and what refers to them */
    bool beyond;       /* hIST or bKGD referred to entries outside a palette of valid length */
    bool transparency; /* a tRNS chunk that does not count */
} ImgPngPaletteFlaws;

/* Takes the first PLTE of a file. `after_idat` says that it comes after pixels. If the picture is
 * not a palette image, an invalid PLTE is dropped and recorded in `flaws`. */
ImgStatus img_png_take_palette(ImgFormat format, const uint8_t *data, uint32_t size,
                               bool after_idat, ImgMetadata *metadata, ImgPngPaletteFlaws *flaws,
                               ImgError *err);

/* Removes from hIST and bKGD what refers to missing palette entries, once all chunks of a palette
 * image are read. */
void img_png_fit_to_palette(ImgMetadata *metadata, ImgPngPaletteFlaws *flaws);

/* Keeps the tRNS chunk that libpng would apply, as most viewers do, once all chunks are read. Drops
 * all others: those of a wrong size or place, and later ones. */
void img_png_select_transparency(ImgFormat format, ImgMetadata *metadata,
                                 ImgPngPaletteFlaws *flaws);

#endif
