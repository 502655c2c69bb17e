/* Private: recognises the format of a file that is not a PNG. */
#ifndef IMGTOOL_IO_SNIFF_H
#define IMGTOOL_IO_SNIFF_H

#include <stddef.h>
#include <stdint.h>

/* Returns "JPEG", "WebP" and so on from the first bytes; NULL if the format is unknown. */
const char *img_sniff(const uint8_t *data, size_t size);

/* Returns the article for the name of a format in a sentence: "a" or "an". */
const char *img_sniff_article(const char *name);

#endif
