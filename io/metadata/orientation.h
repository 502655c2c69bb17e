/* Private: the orientation of a picture in all places where a PNG may state it. */
#ifndef IMGTOOL_IO_METADATA_ORIENTATION_H
#define IMGTOOL_IO_METADATA_ORIENTATION_H

#include <stddef.h>

#include "io/metadata/metadata.h"

/* 1 to 8, or 0 where no chunk states it. `max_text` caps what all texts may inflate to together. */
ImgStatus img_orientation_read(const ImgMetadata *metadata, size_t max_text, int *orientation,
                               ImgError *err);

/* Sets it to 1 wherever a chunk states another. */
ImgStatus img_orientation_reset(ImgMetadata *metadata, size_t max_text, ImgError *err);

#endif
