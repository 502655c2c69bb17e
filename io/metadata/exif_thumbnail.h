/* Private: the small picture that cameras put into EXIF shows what was there before a change. */
#ifndef IMGTOOL_IO_METADATA_EXIF_THUMBNAIL_H
#define IMGTOOL_IO_METADATA_EXIF_THUMBNAIL_H

#include <stdbool.h>
#include <stddef.h>

#include "io/metadata/metadata.h"

/* Takes it out of eXIf and of raw profiles: its directory is no longer referred to, and its bytes
 * are zeros; all else is as it was. Damaged EXIF is left alone, and so is a raw profile that is too
 * long for EXIF, and for a look into it; where that may show what nobody is to see any more,
 * `hides`, it goes as a whole. IMG_E_MEMORY. */
ImgStatus img_exif_thumbnails_drop(ImgMetadata *metadata, bool hides, ImgError *err);

#endif
