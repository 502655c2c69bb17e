/* The name of the profile in an iCCP chunk, and the kind of pixels that it is for. The profile
 * itself is not read. PNG specification, third edition, section 11.3.2.3; ICC.1, section 7.2. */
#ifndef IMGTOOL_IO_METADATA_PROFILE_H
#define IMGTOOL_IO_METADATA_PROFILE_H

#include <stdbool.h>

#include "io/metadata/metadata.h"
#include "kernels/core/image.h"

enum { IMG_PROFILE_NAME = 160 }; /* 79 characters of Latin-1 as UTF-8, and the end */

typedef struct ImgProfile {
    char name[IMG_PROFILE_NAME]; /* UTF-8; characters that cannot be printed are '?' */
    char space[5];               /* "RGB ", "GRAY", "CMYK"; "" where the profile is damaged */
} ImgProfile;

/* False where there is no profile. */
bool img_profile_read(const ImgMetadata *metadata, ImgProfile *profile);

/* May a picture of that colour type have the profile of this iCCP chunk? Gray asks for "GRAY", all
 * others for "RGB ". True where `chunk` is NULL, and where the profile is damaged: it is not known
 * then. */
bool img_profile_fits(const ImgChunk *chunk, ImgColor color);

#endif
