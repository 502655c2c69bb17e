/* Private: recognises the format of a file that is not a PNG, for error messages. */
#ifndef IMGTOOL_IO_SNIFF_H
#define IMGTOOL_IO_SNIFF_H

#include <stddef.h>
#include <stdint.h>

/* Returns the name of the format that `data` starts with, such as "JPEG" or "WebP". Returns NULL if
 * the format is unknown. */
const char *img_sniff(const uint8_t *data, size_t size);

/* Returns the article that the name of a format needs in a sentence: "a" or "an". */
const char *img_sniff_article(const char *name);

#endif
