/* The copyright of a picture, from EXIF or from a text called "Copyright". */
#ifndef IMGTOOL_IO_METADATA_COPYRIGHT_H
#define IMGTOOL_IO_METADATA_COPYRIGHT_H

#include <stdbool.h>

#include "io/metadata/metadata.h"

/* Points into a chunk: Latin-1, UTF-8 or ASCII, without an end. False where nothing says it, or
 * only a text that is compressed. */
bool img_copyright_find(const ImgMetadata *metadata, const uint8_t **text, size_t *size);

#endif
