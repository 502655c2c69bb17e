/* Finds and removes the place where a picture was taken. The place may be in EXIF (GPS data in eXIf
 * and raw profiles; EXIF 2.32, section 4.6.6), in XMP, and in text chunks. */
#ifndef IMGTOOL_IO_METADATA_GPS_H
#define IMGTOOL_IO_METADATA_GPS_H

#include <stdbool.h>

#include "io/metadata/metadata.h"

typedef struct ImgGps {
    /* True if latitude and longitude are valid. They are read only from EXIF, not from XMP. */
    bool has_place;
    double latitude, longitude; /* in degrees; south and west are negative */
} ImgGps;

/* Finds the place where the picture was taken. Returns false if the metadata has no place. Texts
 * that are too long are not searched. */
bool img_gps_find(const ImgMetadata *metadata, ImgGps *gps);

/* Removes the place where the picture was taken. EXIF keeps all other data. XMP with a place is
 * removed as a whole. Damaged EXIF, damaged XMP, and texts that are too long to be searched are
 * also removed as a whole. */
ImgStatus img_gps_drop(ImgMetadata *metadata, ImgError *err);

#endif
