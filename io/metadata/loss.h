/* Describes the metadata that an output format cannot hold. */
#ifndef IMGTOOL_IO_METADATA_LOSS_H
#define IMGTOOL_IO_METADATA_LOSS_H

#include <stdbool.h>

#include "io/metadata/metadata.h"

enum {
    IMG_METADATA_LOSS_TEXT = 288,
    IMG_LOSS_TEXT = IMG_METADATA_LOSS_TEXT + 96 /* for img_encode_loss (io/encode.h) */
};

/* Lists what a file without any metadata lacks: "lost: the colour profile 'Display P3', EXIF and
 * text; colours may look different". Chunks that only confirm sRGB, or that the conversion of
 * pixels applies (tRNS, bKGD), are not listed. Returns false if the list is empty. */
bool img_metadata_describe_loss(const ImgMetadata *metadata, char text[IMG_METADATA_LOSS_TEXT]);

#endif
