/* Formats amounts of memory for messages, and creates the message for exceeding a memory limit. */
#ifndef IMGTOOL_IO_SIZE_TEXT_H
#define IMGTOOL_IO_SIZE_TEXT_H

#include <stdint.h>

#include "kernels/core/status.h"

enum { IMG_SIZE_TEXT = 32 };

typedef struct ImgSizeText {
    char text[IMG_SIZE_TEXT]; /* an amount of memory, for example "3.2 GiB" */
} ImgSizeText;

/* Formats a number of bytes with binary units: "1 byte", "1023 bytes", "1.0 KiB", "3.2 GiB".
 * Returns `text`. */
const char *img_size_text(uint64_t bytes, char text[IMG_SIZE_TEXT]);

/* Formats a number of bytes with decimal units, as used for disk sizes and network speeds: "1
 * byte", "1.0 kB", "12.3 MB". Returns `text`. */
const char *img_thousands_text(uint64_t bytes, char text[IMG_SIZE_TEXT]);

/* Formats two numbers of bytes for comparison. If rounding would make different numbers look equal,
 * uses bytes instead of larger units. */
void img_size_texts(uint64_t a, uint64_t b, ImgSizeText texts[2]);

/* Fails with IMG_E_LIMIT and the message "WHAT need at least NEED of memory, more than the limit of
 * LIMIT; MORE". `more` is ImgLimits.more_memory, which may be NULL. */
ImgStatus img_fail_memory(const char *what, uint64_t need, uint64_t limit, const char *more,
                          ImgError *err);

#endif
