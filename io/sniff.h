/* Private: names the format of a file that is not a PNG. */
#ifndef IMGTOOL_IO_SNIFF_H
#define IMGTOOL_IO_SNIFF_H

#include <stddef.h>
#include <stdint.h>

/* "JPEG", "WebP", ... from the first bytes; NULL if they say nothing known. */
const char *img_sniff(const uint8_t *data, size_t size);

/* "a" or "an", as such a name is spoken. */
const char *img_sniff_article(const char *name);

#endif
