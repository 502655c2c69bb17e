/* Names, for a note, the metadata that an output cannot hold. */
#ifndef IMGTOOL_IO_METADATA_LOST_H
#define IMGTOOL_IO_METADATA_LOST_H

#include <stdbool.h>

#include "io/metadata/metadata.h"

enum { IMG_LOST_TEXT = 288, IMG_LOSS_TEXT = IMG_LOST_TEXT + 96 /* io/encode.h */ };

/* Lists what a file without any metadata lacks: "lost: the colour profile 'Display P3', EXIF and
 * text; colours may look different". False where that is nothing: what only repeats that colours
 * are sRGB, or is used up when pixels are converted (tRNS, bKGD), is not listed. */
bool img_metadata_lost(const ImgMetadata *metadata, char text[IMG_LOST_TEXT]);

#endif
