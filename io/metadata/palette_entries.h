/* The entries of a palette, of PLTE and tRNS, as operations know them. */
#ifndef IMGTOOL_IO_METADATA_PALETTE_ENTRIES_H
#define IMGTOOL_IO_METADATA_PALETTE_ENTRIES_H

#include "io/metadata/metadata.h"
#include "kernels/core/color/palette.h"

/* Reads the entries of a picture whose indices have so many bits. */
void img_metadata_palette(const ImgMetadata *metadata, int bits, ImgPalette *palette);

/* Writes entries beyond those of PLTE, which were added to what img_metadata_palette gave; then
 * hIST, which counts the pixels of each, goes. IMG_E_MEMORY. */
ImgStatus img_metadata_add_entries(ImgMetadata *metadata, const ImgPalette *palette, ImgError *err);

#endif
