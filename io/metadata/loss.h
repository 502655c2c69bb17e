/* Describes the metadata that an output format cannot store. */
#ifndef IMGTOOL_IO_METADATA_LOSS_H
#define IMGTOOL_IO_METADATA_LOSS_H

#include <stdbool.h>

#include "io/metadata/metadata.h"

enum {
    IMG_METADATA_LOSS_TEXT = 288,
    IMG_LOSS_TEXT = IMG_METADATA_LOSS_TEXT + 96 /* for img_encode_loss (io/encode.h) */
};

/* Lists the metadata that is lost in a file without any metadata: "lost: the colour profile
 * 'Display P3', EXIF and text; colours may look different". Chunks that only confirm sRGB are not
 * listed; nor are tRNS and bKGD, which the conversion of pixels applies. Returns false if the list
 * is empty. */
bool img_metadata_describe_loss(const ImgMetadata *metadata, char text[IMG_METADATA_LOSS_TEXT]);

#endif
