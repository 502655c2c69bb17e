/* Reads from an iCCP chunk the name of the ICC profile, and the colour space of the pixels for
 * which the profile is made. The rest of the profile is not read. See the PNG specification, third
 * edition, section 11.3.2.3, and ICC.1, section 7.2. */
#ifndef IMGTOOL_IO_METADATA_PROFILE_H
#define IMGTOOL_IO_METADATA_PROFILE_H

#include <stdbool.h>

#include "io/metadata/metadata.h"
#include "kernels/core/image.h"

/* Room for 79 characters of Latin-1, which take up to two bytes each in UTF-8, and the terminating
 * zero. */
enum { IMG_PROFILE_NAME = 160 };

typedef struct ImgProfile {
    char name[IMG_PROFILE_NAME]; /* name in UTF-8; unprintable characters become '?' */
    /* Colour space: "RGB ", "GRAY" or "CMYK"; "" if the profile is damaged. */
    char space[5];
} ImgProfile;

/* Reads the profile of a picture. Returns false if the picture has no profile. */
bool img_profile_read(const ImgMetadata *metadata, ImgProfile *profile);

/* Returns true if a picture of colour type `color` may have the profile in the iCCP chunk `chunk`.
 * Gray pictures need a "GRAY" profile, all others an "RGB " profile. Also returns true if `chunk`
 * is NULL or the profile is damaged, because its colour space is then unknown. */
bool img_profile_fits(const ImgChunk *chunk, ImgColor color);

#endif
