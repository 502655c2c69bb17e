/* Finds and removes the place where a picture was taken: GPS in EXIF (eXIf and raw profiles), in
 * XMP, and in text chunks. EXIF 2.32, section 4.6.6. */
#ifndef IMGTOOL_IO_METADATA_GPS_H
#define IMGTOOL_IO_METADATA_GPS_H

#include <stdbool.h>

#include "io/metadata/metadata.h"

typedef struct ImgGps {
    /* True if the numbers below are valid; they are read only from EXIF, not from XMP. */
    bool has_place;
    double latitude, longitude; /* in degrees; south and west are negative */
} ImgGps;

/* Finds the place. Returns false if there is none. Texts that are too long are not searched. */
bool img_gps_find(const ImgMetadata *metadata, ImgGps *gps);

/* Removes the place. EXIF keeps all other data. XMP with a place is removed as a whole, and so are
 * damaged EXIF, damaged XMP, and texts that are too long to search. */
ImgStatus img_gps_drop(ImgMetadata *metadata, ImgError *err);

#endif
