/* Private: a "Raw profile type ..." text: a profile in hexadecimal digits, the way of ImageMagick
 * and ExifTool from before PNG had eXIf. */
#ifndef IMGTOOL_IO_METADATA_RAW_PROFILE_H
#define IMGTOOL_IO_METADATA_RAW_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/status.h"

/* By a text's keyword: EXIF, also as APP1 of a JPEG file, which may be XMP as well. */
bool img_raw_profile_is_exif(const char *keyword);

typedef struct ImgRawProfile {
    uint8_t *data; /* ends at the first byte of the text that is neither digit nor space */
    size_t size;
} ImgRawProfile;

/* The caller frees profile->data, also after a failure. IMG_E_LIMIT for a text that may hold more
 * than `most` bytes. */
ImgStatus img_raw_profile_decode(const uint8_t *text, size_t size, size_t most,
                                 ImgRawProfile *profile, ImgError *err);

/* Writes a profile of the same size over the digits of the text; those of bytes that did not change
 * stay as they are. */
void img_raw_profile_update(const ImgRawProfile *profile, uint8_t *text, size_t size);

#endif
