/* Private: the orientation of a picture, in all places where a PNG may state it. */
#ifndef IMGTOOL_IO_METADATA_ORIENTATION_H
#define IMGTOOL_IO_METADATA_ORIENTATION_H

#include <stddef.h>

#include "io/metadata/metadata.h"

/* Sets `*orientation` to 1 to 8, or to 0 if no chunk states an orientation. Fails with IMG_E_LIMIT
 * if all texts together inflate to more than `max_text` bytes. */
ImgStatus img_orientation_read(const ImgMetadata *metadata, size_t max_text, int *orientation,
                               ImgError *err);

/* Sets the orientation to 1 in every chunk that states another orientation. */
ImgStatus img_orientation_reset(ImgMetadata *metadata, size_t max_text, ImgError *err);

#endif
