/* Converts the chunks PLTE and tRNS to the palette that operations use, and back. */
#ifndef IMGTOOL_IO_METADATA_PALETTE_ENTRIES_H
#define IMGTOOL_IO_METADATA_PALETTE_ENTRIES_H

#include "io/metadata/metadata.h"
#include "kernels/core/color/palette.h"

/* Reads the palette of a picture from PLTE and tRNS. The pixels of the picture are indices of
 * `bits` bits. */
void img_metadata_palette(const ImgMetadata *metadata, int bits, ImgPalette *palette);

/* Adds to PLTE and tRNS the entries that were appended to `palette` since img_metadata_palette. If
 * there are any, removes hIST, which counts the pixels of each entry. May fail with
 * IMG_E_MEMORY. */
ImgStatus img_metadata_add_entries(ImgMetadata *metadata, const ImgPalette *palette, ImgError *err);

#endif
