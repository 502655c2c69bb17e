/* Private: the one property of XMP that matters here, tiff:Orientation. */
#ifndef IMGTOOL_IO_METADATA_XMP_H
#define IMGTOOL_IO_METADATA_XMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 1 to 8, the first that is stated; 0 where there is none. */
int img_xmp_orientation(const uint8_t *xml, size_t size);

/* Sets each that is stated to 1, in place; true if any was another. */
bool img_xmp_reset(uint8_t *xml, size_t size);

#endif
