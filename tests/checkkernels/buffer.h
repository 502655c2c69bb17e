/* Pictures with guard bytes all around: above, below, and beside every row. A kernel that writes
 * there is found; under AddressSanitizer also one that reads there. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_BUFFER_H
#define IMGTOOL_TESTS_CHECKKERNELS_BUFFER_H

#include <stdbool.h>

#include "kernels/core/image.h"

/* Starts as all zeros. */
typedef struct Buffer {
    ImgView view;     /* the picture inside */
    uint8_t *memory;  /* all of it */
    size_t size;      /* bytes of memory in use */
    size_t capacity;  /* bytes of memory */
    size_t row_bytes; /* of the picture */
    uint8_t guard;    /* what guard bytes hold */
    bool locked;
} Buffer;

/* Lays a picture of that shape into the buffer's memory, which grows where it must and is kept
 * otherwise. Rows start at multiples of `alignment` bytes, with at least one guard byte between
 * them; with alignment 1 they start at odd addresses wherever the pixels allow it. The guards are
 * filled, the pixels are undefined. The buffer is unlocked. False if there is no memory. Guards of
 * what is read and of what is written differ, or a kernel that copies them would not be found. */
typedef enum BufferUse { BUFFER_READ = 0xa7, BUFFER_WRITTEN = 0x59 } BufferUse;
bool buffer_lay(Buffer *buffer, ImgShape shape, size_t alignment, BufferUse use);
void buffer_free(Buffer *buffer);

/* Fills the pixels with a byte that few results hold. */
void buffer_blank(const Buffer *buffer);

/* All bytes, guards too, or the rows alone, of a picture of the same shape. The first is for
 * buffers that are unlocked and laid in the same way. */
void buffer_copy(const Buffer *to, const Buffer *from);
void buffer_copy_rows(const Buffer *to, const Buffer *from);

/* Are all bytes equal, guards too? For buffers that are laid in the same way. */
bool buffer_equal(const Buffer *a, const Buffer *b);

/* Makes the guards unreadable under AddressSanitizer, and readable again. */
void buffer_lock(Buffer *buffer);
void buffer_unlock(Buffer *buffer);

/* NULL, or where something was written outside the picture: "above", "below", "beside a row". */
const char *buffer_overwritten(const Buffer *buffer);

#endif
