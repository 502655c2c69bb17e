/* Private: removes the thumbnail that cameras store in EXIF, because it shows the picture as it was
 * before a change. */
#ifndef IMGTOOL_IO_METADATA_EXIF_THUMBNAIL_H
#define IMGTOOL_IO_METADATA_EXIF_THUMBNAIL_H

#include <stdbool.h>
#include <stddef.h>

#include "io/metadata/metadata.h"

/* Removes the thumbnail from eXIf and from raw profiles: the reference to its directory is cleared,
 * and its bytes become zeros. All other bytes stay. Damaged EXIF is left alone, and so is a raw
 * profile too long to be decoded. With `must_hide`, the old thumbnail may show content that must
 * not stay visible; then such a profile is removed as a whole. May fail with IMG_E_MEMORY. */
ImgStatus img_exif_thumbnails_drop(ImgMetadata *metadata, bool must_hide, ImgError *err);

#endif
