/* The place where a picture was taken: GPS in EXIF (eXIf, and its old form as a text), XMP, and
 * texts of their own. EXIF 2.32, section 4.6.6. */
#ifndef IMGTOOL_IO_METADATA_GPS_H
#define IMGTOOL_IO_METADATA_GPS_H

#include <stdbool.h>

#include "io/metadata/metadata.h"

typedef struct ImgGps {
    bool has_place;             /* the numbers below are known; XMP is not read for them */
    double latitude, longitude; /* degrees; south and west are negative */
} ImgGps;

/* False where nothing says a place. Texts that are long are not looked into. */
bool img_gps_find(const ImgMetadata *metadata, ImgGps *gps);

/* Takes it out: of EXIF, where all else stays; XMP that has it goes as a whole, and so does what
 * cannot be read: damaged EXIF and XMP, and texts that are too long. */
ImgStatus img_gps_drop(ImgMetadata *metadata, ImgError *err);

#endif
