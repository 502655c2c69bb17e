/* Private: the orientation of a picture in all places where a PNG may state it. */
#ifndef IMGTOOL_IO_ORIENTATION_H
#define IMGTOOL_IO_ORIENTATION_H

#include <stddef.h>

#include "io/metadata.h"

/* 1 to 8, or 0 where the chunk does not state it. `max_text` caps what a text may inflate to. */
ImgStatus img_orientation_read(const ImgChunk *chunk, size_t max_text, int *orientation,
                               ImgError *err);

/* Sets it to 1 where the chunk states another; XMP (tiff:Orientation) too. */
ImgStatus img_orientation_reset(ImgChunk *chunk, size_t max_text, ImgError *err);

#endif
