/* Changes the resolution of a picture in pHYs and in EXIF, and the scale in sCAL. EXIF may be the
 * chunk eXIf or a text "Raw profile type exif". */
#ifndef IMGTOOL_IO_METADATA_RESOLUTION_H
#define IMGTOOL_IO_METADATA_RESOLUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "io/metadata/metadata.h"

/* The range of resolutions that img_resolution_set accepts, in thousandths of a dot per inch. */
enum { IMG_MILLIDPI_LEAST = 1000, IMG_MILLIDPI_MOST = 1000000000 };

/* Sets the resolution of both axes in pHYs and in EXIF. Adds pHYs if it is missing. EXIF without a
 * resolution stays as it is. */
ImgStatus img_resolution_set(ImgMetadata *metadata, int32_t millidpi, ImgError *err);

/* Swaps the resolutions of the two axes in eXIf after a quarter turn. A second swap restores the
 * same bytes. metadata_follow.c swaps pHYs. EXIF in texts stays as it is, because compressing it
 * again would change its bytes. */
void img_resolution_swap(ImgMetadata *metadata);

/* --- The chunk sCAL: the size of a pixel on the subject, as text ------------------------------ */

/* The format of sCAL is described in the Extensions to the PNG specification, 1.4.0, section
 * 4.2. */

/* Reads the width and height of a pixel, in the unit that the first byte of the chunk states.
 * Returns false if the chunk is damaged or a size is not above 0. */
bool img_scal_read(const ImgChunk *chunk, double *width, double *height);

/* Writes width and height with up to 12 digits and keeps the unit. Values outside the range of a
 * double are clamped. If the function fails with IMG_E_MEMORY, the chunk is unchanged. */
ImgStatus img_scal_write(ImgChunk *chunk, double width, double height, ImgError *err);

/* Swaps the texts of width and height without changing their digits. A damaged chunk stays as it
 * is. */
ImgStatus img_scal_swap(ImgChunk *chunk, ImgError *err);

#endif
