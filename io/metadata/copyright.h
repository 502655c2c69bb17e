/* Finds the copyright notice of a picture, in EXIF or in a text chunk with the keyword
 * "Copyright". */
#ifndef IMGTOOL_IO_METADATA_COPYRIGHT_H
#define IMGTOOL_IO_METADATA_COPYRIGHT_H

#include <stdbool.h>

#include "io/metadata/metadata.h"

/* Sets `*text` to the notice and `*size` to its size in bytes. The notice lies in a chunk of
 * `metadata`; it is Latin-1, UTF-8 or ASCII, without a terminating zero. Returns false if there is
 * no notice, or only a compressed one. */
bool img_copyright_find(const ImgMetadata *metadata, const uint8_t **text, size_t *size);

#endif
