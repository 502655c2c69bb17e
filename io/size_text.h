/* Amounts of memory as people read them, and the one sentence for too much of it. */
#ifndef IMGTOOL_IO_SIZE_TEXT_H
#define IMGTOOL_IO_SIZE_TEXT_H

#include <stdint.h>

#include "kernels/core/status.h"

enum { IMG_SIZE_TEXT = 32 };

typedef struct ImgSizeText {
    char text[IMG_SIZE_TEXT]; /* "3.2 GiB" */
} ImgSizeText;

/* "1 byte", "1023 bytes", "1.0 KiB", "3.2 GiB"; returns `text`. */
const char *img_size_text(uint64_t bytes, char text[IMG_SIZE_TEXT]);

/* In thousands, as sizes of disks and speeds of networks are given, so that rates can be checked by
 * head: "1 byte", "1.0 kB", "12.3 MB"; returns `text`. */
const char *img_thousands_text(uint64_t bytes, char text[IMG_SIZE_TEXT]);

/* Two amounts that are compared: in bytes where rounding would make them look equal. */
void img_size_texts(uint64_t a, uint64_t b, ImgSizeText texts[2]);

/* IMG_E_LIMIT: "WHAT need at least NEED of memory, more than the limit of LIMIT; MORE". `more`,
 * which may be NULL, is that of ImgLimits. */
ImgStatus img_fail_memory(const char *what, uint64_t need, uint64_t limit, const char *more,
                          ImgError *err);

#endif
