/* Private: removes the thumbnail that cameras store in EXIF, because it shows the picture before
 * the change. */
#ifndef IMGTOOL_IO_METADATA_EXIF_THUMBNAIL_H
#define IMGTOOL_IO_METADATA_EXIF_THUMBNAIL_H

#include <stdbool.h>
#include <stddef.h>

#include "io/metadata/metadata.h"

/* Removes the thumbnail from the chunk eXIf and from raw profiles. Clears the reference to the
 * thumbnail's directory and overwrites the thumbnail with zeros. All other bytes stay. Damaged EXIF
 * stays as it is.
 *
 * `must_hide` is true if the old thumbnail may show content that must not stay visible. A raw
 * profile that is too long to be decoded is then removed as a whole; otherwise it stays as it is.
 * May fail with IMG_E_MEMORY. */
ImgStatus img_exif_thumbnails_drop(ImgMetadata *metadata, bool must_hide, ImgError *err);

#endif
