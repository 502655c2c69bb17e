/* Private: a "Raw profile type ..." text holds a profile in hexadecimal digits. ImageMagick and
 * ExifTool write it so since before PNG had the chunk eXIf. */
#ifndef IMGTOOL_IO_METADATA_RAW_PROFILE_H
#define IMGTOOL_IO_METADATA_RAW_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* Returns true if a text with this keyword holds EXIF. "APP1", a segment of JPEG files, may also be
 * XMP. */
bool img_raw_profile_is_exif(const char *keyword);

typedef struct ImgRawProfile {
    uint8_t *data; /* ends at the first character of the text that is neither a digit nor white
                    * space */
    size_t size;
} ImgRawProfile;

/* Decodes the digits. The caller frees profile->data, even after a failure. Fails with IMG_E_LIMIT
 * if the text may hold more than `most` bytes. */
ImgStatus img_raw_profile_decode(const uint8_t *text, size_t size, size_t most,
                                 ImgRawProfile *profile, ImgError *err);

/* Overwrites the digits of the text with a profile of the same size. Digits of unchanged bytes stay
 * as they are. */
void img_raw_profile_update(const ImgRawProfile *profile, uint8_t *text, size_t size);

#endif
