/* Changes the resolution of a picture in pHYs and in EXIF. EXIF may be the chunk eXIf or a text
 * "Raw profile type exif". */
#ifndef IMGTOOL_IO_METADATA_RESOLUTION_H
#define IMGTOOL_IO_METADATA_RESOLUTION_H

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

#endif
