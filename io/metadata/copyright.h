/* Finds the copyright notice of a picture, in EXIF or in a text chunk with the keyword
 * "Copyright". */
#ifndef IMGTOOL_IO_METADATA_COPYRIGHT_H
#define IMGTOOL_IO_METADATA_COPYRIGHT_H

#include <stdbool.h>

#include "io/metadata/metadata.h"

/* Sets `*text` to the notice, which lies in a chunk: Latin-1, UTF-8 or ASCII, not terminated by
 * zero. Returns false if there is no notice, or only a compressed one. */
bool img_copyright_find(const ImgMetadata *metadata, const uint8_t **text, size_t *size);

#endif
