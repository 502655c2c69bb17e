/* Reads the name of the ICC profile in an iCCP chunk, and the kind of pixels that the profile is
 * for. The rest of the profile is not read. PNG specification, third edition, section 11.3.2.3;
 * ICC.1, section 7.2. */
#ifndef IMGTOOL_IO_METADATA_PROFILE_H
#define IMGTOOL_IO_METADATA_PROFILE_H

#include <stdbool.h>

#include "io/metadata/metadata.h"
#include "kernels/core/image.h"

enum { IMG_PROFILE_NAME = 160 }; /* 79 characters of Latin-1 as UTF-8, and the terminating zero */

typedef struct ImgProfile {
    char name[IMG_PROFILE_NAME]; /* UTF-8; unprintable characters become '?' */
    char space[5];               /* "RGB ", "GRAY", "CMYK"; "" if the profile is damaged */
} ImgProfile;

/* Returns false if there is no profile. */
bool img_profile_read(const ImgMetadata *metadata, ImgProfile *profile);

/* Returns true if a picture of that colour type may have the profile of this iCCP chunk. Gray needs
 * a "GRAY" profile, all others "RGB ". Also true if `chunk` is NULL or the profile is damaged,
 * because then its kind is unknown. */
bool img_profile_fits(const ImgChunk *chunk, ImgColor color);

#endif
