/* sCAL: how large the subject of a pixel is, as text (PNG specification's extensions, 1.4.0,
 * section 4.2). */
#ifndef IMGTOOL_IO_METADATA_SCAL_H
#define IMGTOOL_IO_METADATA_SCAL_H

#include <stdbool.h>

#include "io/metadata/metadata.h"

/* Width and height of a pixel, both above 0, in the unit that the chunk's first byte names. False:
 * the chunk is damaged, and says neither. */
bool img_scal_read(const ImgChunk *chunk, double *width, double *height);

/* Writes them as text of up to 12 digits, which keeps the unit. A size that is too small or too
 * large to be one is written as the nearest that is. IMG_E_MEMORY; the chunk is as it was then. */
ImgStatus img_scal_write(ImgChunk *chunk, double width, double height, ImgError *err);

/* Swaps width and height, letter by letter; leaves a damaged chunk as it is. */
ImgStatus img_scal_swap(ImgChunk *chunk, ImgError *err);

#endif
