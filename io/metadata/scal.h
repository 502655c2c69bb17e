/* The chunk sCAL, which states the physical size of a pixel on the subject, as text. Extensions to
 * the PNG specification, 1.4.0, section 4.2. */
#ifndef IMGTOOL_IO_METADATA_SCAL_H
#define IMGTOOL_IO_METADATA_SCAL_H

#include <stdbool.h>

#include "io/metadata/metadata.h"

/* Reads the width and height of a pixel, which must be above 0. Their unit is stated by the first
 * byte of the chunk. Returns false if the chunk is damaged. */
bool img_scal_read(const ImgChunk *chunk, double *width, double *height);

/* Writes width and height with up to 12 digits and keeps the unit. Values outside the range of a
 * double are clamped. If the function fails with IMG_E_MEMORY, the chunk is unchanged. */
ImgStatus img_scal_write(ImgChunk *chunk, double width, double height, ImgError *err);

/* Swaps the texts of width and height without changing their digits. A damaged chunk stays as it
 * is. */
ImgStatus img_scal_swap(ImgChunk *chunk, ImgError *err);

#endif
