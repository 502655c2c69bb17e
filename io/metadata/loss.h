/* Describes the metadata that an output format cannot store. */
#ifndef IMGTOOL_IO_METADATA_LOSS_H
#define IMGTOOL_IO_METADATA_LOSS_H

#include <stdbool.h>

#include "io/metadata/metadata.h"

enum {
    IMG_METADATA_LOSS_TEXT = 288,
    /* Room for the text of img_encode_loss (io/encode.h). */
    IMG_LOSS_TEXT = IMG_METADATA_LOSS_TEXT + 96
};

/* Writes to `text` a list of the metadata that is lost if the output file stores no metadata.
 * Example: "lost: the colour profile 'Display P3', EXIF and text; colours may look different".
 * Omits chunks that only confirm sRGB, and tRNS and bKGD, because the conversion of pixels applies
 * these. Returns false if the list is empty. */
bool img_metadata_describe_loss(const ImgMetadata *metadata, char text[IMG_METADATA_LOSS_TEXT]);

#endif
