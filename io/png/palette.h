/* Private: PLTE, what other chunks say of its entries, and which pixels are transparent. */
#ifndef IMGTOOL_IO_PNG_PALETTE_H
#define IMGTOOL_IO_PNG_PALETTE_H

#include "io/metadata/metadata.h"
#include "kernels/core/image.h"

/* What was dropped. */
typedef struct ImgPngPaletteFlaws {
    bool useless;  /* a wrong PLTE of a picture that does not need one */
    bool too_long; /* entries of a palette image that no pixel can name, and what speaks of them */
    bool beyond;   /* the palette was not too long, but hIST or bKGD were cut */
    bool transparency; /* tRNS that does not count */
} ImgPngPaletteFlaws;

/* Takes the first PLTE of a file; `after_idat`: it comes after pixels. A picture that is not of
 * palette colours can do without it: what is wrong there is dropped, and noted in `flaws`. */
ImgStatus img_png_take_palette(ImgFormat format, const uint8_t *data, uint32_t size,
                               bool after_idat, ImgMetadata *metadata, ImgPngPaletteFlaws *flaws,
                               ImgError *err);

/* Of a palette image whose chunks are all there: cuts what speaks of entries that the palette does
 * not have. */
void img_png_fit_to_palette(ImgMetadata *metadata, ImgPngPaletteFlaws *flaws);

/* Of any image whose chunks are all there: keeps the tRNS that counts for libpng, and so for most
 * that show the picture, and drops others: those of a wrong size or place, and those after it. */
void img_png_settle_transparency(ImgFormat format, ImgMetadata *metadata,
                                 ImgPngPaletteFlaws *flaws);

#endif
