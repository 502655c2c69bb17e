/* Pictures with guard bytes all around: above, below, and beside every row. A kernel that writes
 * there is found; under AddressSanitizer also one that reads there. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_BUFFER_H
#define IMGTOOL_TESTS_CHECKKERNELS_BUFFER_H

#include <stdbool.h>

#include "kernels/core/image.h"

typedef struct Buffer {
    ImgView view;     /* the picture inside */
    uint8_t *memory;  /* all of it */
    size_t size;      /* bytes of memory */
    size_t row_bytes; /* of the picture */
} Buffer;

/* Rows start at multiples of `alignment` bytes, with at least one guard byte between them; with
 * alignment 1 they start at odd places wherever the pixels allow it. Guards and picture are filled.
 * False if there is no memory. */
bool buffer_make(Buffer *buffer, ImgShape shape, size_t alignment);
void buffer_free(Buffer *buffer);

/* Makes the guards unreadable under AddressSanitizer, and readable again. */
void buffer_lock(const Buffer *buffer);
void buffer_unlock(const Buffer *buffer);

/* NULL, or where something was written outside the picture: "above", "below", "beside a row". */
const char *buffer_overwritten(const Buffer *buffer);

#endif
