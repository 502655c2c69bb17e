/* Private: raw profiles, which are texts with a keyword "Raw profile type ..." that contain a
 * profile as hexadecimal digits. ImageMagick and ExifTool have written raw profiles since before
 * PNG had the chunk eXIf. */
#ifndef IMGTOOL_IO_METADATA_RAW_PROFILE_H
#define IMGTOOL_IO_METADATA_RAW_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* Limit in bytes for EXIF data as text. It is generous, because EXIF data usually comes from JPEG,
 * which limits it to 64 KiB. As text it has two hexadecimal digits per byte, and line ends. */
enum { IMG_EXIF_TEXT_MOST = 2 << 20 };

/* Returns true if a text with this keyword contains EXIF. Exception: an "APP1" profile (a segment
 * of a JPEG file) may contain XMP instead. */
bool img_raw_profile_is_exif(const char *keyword);

typedef struct ImgRawProfile {
    /* The decoded bytes. Decoding ends at the first character that is neither a digit nor white
     * space. */
    uint8_t *data;
    size_t size;
} ImgRawProfile;

/* Decodes the digits of `text`. The caller frees profile->data, even after a failure. Fails with
 * IMG_E_LIMIT if the text may contain more than `most` bytes. */
ImgStatus img_raw_profile_decode(const uint8_t *text, size_t size, size_t most,
                                 ImgRawProfile *profile, ImgError *err);

/* Overwrites the digits of `text` with the bytes of `profile`, which must have the decoded size.
 * Digits of unchanged bytes stay as they are. */
void img_raw_profile_update(const ImgRawProfile *profile, uint8_t *text, size_t size);

#endif
