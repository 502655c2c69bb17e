/* Pictures with guard bytes on all sides: above, below and beside every row. They reveal a kernel
 * that writes there, and under AddressSanitizer also one that reads there. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_BUFFER_H
#define IMGTOOL_TESTS_CHECKKERNELS_BUFFER_H

#include <stdbool.h>

#include "kernels/core/image.h"

/* A picture with guard bytes. Initialise with zeros. */
typedef struct Buffer {
    ImgView view;     /* the picture inside */
    uint8_t *memory;  /* the whole allocation */
    size_t size;      /* number of bytes of `memory` in use */
    size_t capacity;  /* number of bytes allocated in `memory` */
    size_t row_bytes; /* number of bytes in a row of the picture */
    uint8_t guard;    /* value of the guard bytes */
    bool locked;
} Buffer;

/* Lays out a picture of that shape in the buffer's memory, which grows if needed and is kept
 * otherwise. Rows start at multiples of `alignment` bytes, with at least one guard byte between
 * them. With alignment 1 they start at odd addresses if the pixels allow it. The guards are filled,
 * the pixels are undefined, and the buffer is unlocked. Returns false if there is no memory. Guards
 * of the source and of the result differ, so that a kernel that copies guards is found. */
typedef enum BufferUse { BUFFER_READ = 0xa7, BUFFER_WRITTEN = 0x59 } BufferUse;
bool buffer_lay(Buffer *buffer, ImgShape shape, size_t alignment, BufferUse use);
void buffer_free(Buffer *buffer);

/* Fills the pixels with a byte that few results contain. */
void buffer_blank(const Buffer *buffer);

/* buffer_copy copies all bytes including the guards; both buffers must be unlocked and have the
 * same layout. The second function copies only the rows of a picture of the same shape. */
void buffer_copy(const Buffer *to, const Buffer *from);
void buffer_copy_rows(const Buffer *to, const Buffer *from);

/* Returns true if all bytes are equal, including the guards. Both buffers must have the same
 * layout. */
bool buffer_equal(const Buffer *a, const Buffer *b);

/* buffer_lock makes the guards inaccessible under AddressSanitizer; the second function makes them
 * accessible again. */
void buffer_lock(Buffer *buffer);
void buffer_unlock(Buffer *buffer);

/* Returns the place outside the picture where guard bytes were changed: "above", "below" or "beside
 * a row". Returns NULL if none were. */
const char *buffer_overwritten(const Buffer *buffer);

#endif
