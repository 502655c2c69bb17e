/* Private: joining checksums of the parts of a zlib stream (RFC 1950, section 8.2). */
#ifndef IMGTOOL_IO_PNG_ADLER_H
#define IMGTOOL_IO_PNG_ADLER_H

#include <stddef.h>
#include <stdint.h>

/* The Adler-32 of data whose first part has the one and whose second part, of `size` bytes, the
 * other. */
uint32_t img_adler_join(uint32_t first, uint32_t second, uint64_t size);

#endif
