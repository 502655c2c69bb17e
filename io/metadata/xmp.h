/* Private: reads and resets tiff:Orientation, the only XMP property that imgtool uses. */
#ifndef IMGTOOL_IO_METADATA_XMP_H
#define IMGTOOL_IO_METADATA_XMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the first orientation in the XMP, 1 to 8, or 0 if there is none. */
int img_xmp_orientation(const uint8_t *xml, size_t size);

/* Sets every orientation in the XMP to 1, in place. Returns true if any orientation was
 * different. */
bool img_xmp_reset(uint8_t *xml, size_t size);

#endif
