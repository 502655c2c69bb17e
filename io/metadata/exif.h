/* Private: the one field of EXIF that matters here, the orientation (tag 274) of the main image.
 * EXIF 2.32, sections 4.5.4 and 4.6.4; every offset is checked against the data. */
#ifndef IMGTOOL_IO_METADATA_EXIF_H
#define IMGTOOL_IO_METADATA_EXIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ImgExifField {
    size_t offset; /* of the value in the data */
    size_t width;  /* 2 or 4 bytes */
    bool big_endian;
    uint32_t value;
} ImgExifField;

/* `data` is a TIFF header and what follows, with or without "Exif\0\0" before it. False where there
 * is no such field or the data is damaged. */
bool img_exif_orientation(const uint8_t *data, size_t size, ImgExifField *field);

/* The byte number `index` of the field's value, if it were `value`. */
uint8_t img_exif_byte(const ImgExifField *field, uint32_t value, size_t index);

#endif
