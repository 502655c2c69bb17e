/* Private: raw profiles, texts with a keyword "Raw profile type ..." that contain a profile in
 * hexadecimal digits. ImageMagick and ExifTool have written these since before PNG had the chunk
 * eXIf. */
#ifndef IMGTOOL_IO_METADATA_RAW_PROFILE_H
#define IMGTOOL_IO_METADATA_RAW_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* Returns true if a text with this keyword contains EXIF. A profile "APP1" (a segment of JPEG
 * files) may instead contain XMP. */
bool img_raw_profile_is_exif(const char *keyword);

typedef struct ImgRawProfile {
    /* The decoded bytes; decoding ends at the first character that is neither a digit nor white
     * space. */
    uint8_t *data;
    size_t size;
} ImgRawProfile;

/* Decodes the digits. The caller frees profile->data, even after a failure. Fails with IMG_E_LIMIT
 * if the text may contain more than `most` bytes. */
ImgStatus img_raw_profile_decode(const uint8_t *text, size_t size, size_t most,
                                 ImgRawProfile *profile, ImgError *err);

/* Overwrites the digits of the text with a profile of the same size. Digits of unchanged bytes stay
 * as they are. */
void img_raw_profile_update(const ImgRawProfile *profile, uint8_t *text, size_t size);

#endif
