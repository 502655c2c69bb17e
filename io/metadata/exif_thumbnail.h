/* Private: removes the thumbnail that cameras store in EXIF, because it shows the picture as it was
 * before a change. */
#ifndef IMGTOOL_IO_METADATA_EXIF_THUMBNAIL_H
#define IMGTOOL_IO_METADATA_EXIF_THUMBNAIL_H

#include <stdbool.h>
#include <stddef.h>

#include "io/metadata/metadata.h"

/* Removes the thumbnail from eXIf and from raw profiles: clears the reference to its directory, and
 * overwrites its bytes with zeros. All other bytes stay. Damaged EXIF stays as it is, and so does a
 * raw profile that is too long to be decoded. Exception: `must_hide` is true if the old thumbnail
 * may show content that must not stay visible; a too long profile is then removed as a whole. May
 * fail with IMG_E_MEMORY. */
ImgStatus img_exif_thumbnails_drop(ImgMetadata *metadata, bool must_hide, ImgError *err);

#endif
