/* The resolution of a picture, in pHYs and in EXIF: chunk eXIf, and the old form as a text "Raw
 * profile type exif". */
#ifndef IMGTOOL_IO_METADATA_RESOLUTION_H
#define IMGTOOL_IO_METADATA_RESOLUTION_H

#include <stdint.h>

#include "io/metadata/metadata.h"

/* Bounds of what img_resolution_set takes, in thousandths of a dot per inch. */
enum { IMG_MILLIDPI_LEAST = 1000, IMG_MILLIDPI_MOST = 1000000000 };

/* Sets it in both directions: pHYs, which is added where there is none, and what EXIF says of it.
 * EXIF without a resolution is left without one. */
ImgStatus img_resolution_set(ImgMetadata *metadata, int32_t millidpi, ImgError *err);

/* Exchanges the two directions in eXIf, after a quarter turn; twice gives the same bytes. Of pHYs
 * metadata_follow.c does it. EXIF in texts stays: it would be written in other bytes. */
void img_resolution_swap(ImgMetadata *metadata);

#endif
