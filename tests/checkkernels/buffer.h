/* Pictures with guard bytes above, below and beside every row. The guard bytes reveal a kernel that
 * writes outside the picture. Under AddressSanitizer they also reveal one that reads there. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_BUFFER_H
#define IMGTOOL_TESTS_CHECKKERNELS_BUFFER_H

#include <stdbool.h>

#include "kernels/core/image.h"

/* A picture with guard bytes. Initialise with zeros. */
typedef struct Buffer {
    ImgView view;     /* the picture between the guard bytes */
    uint8_t *memory;  /* start of the whole allocation */
    size_t size;      /* number of bytes of `memory` in use */
    size_t capacity;  /* number of bytes allocated in `memory` */
    size_t row_bytes; /* number of bytes in a row of the picture */
    uint8_t guard;    /* value of the guard bytes */
    bool locked;
} Buffer;

/* The use of a buffer, and the value of its guard bytes. Guards of the source and of the result
 * differ, so that a kernel that copies guards is found. */
typedef enum BufferUse { BUFFER_READ = 0xa7, BUFFER_WRITTEN = 0x59 } BufferUse;

/* Lays out a picture of this shape in the memory of the buffer, which grows if necessary. Rows
 * start at multiples of `alignment` bytes, with at least one guard byte between them. With
 * alignment 1 the first row starts at an odd address, and exactly one guard byte follows each row.
 * The guards are filled, the pixels are undefined, and the buffer is unlocked. Returns false if
 * memory is short. */
bool buffer_lay(Buffer *buffer, ImgShape shape, size_t alignment, BufferUse use);
void buffer_free(Buffer *buffer);

/* Fills the pixels with a byte that few results contain, so that unwritten pixels show. */
void buffer_blank(const Buffer *buffer);

/* buffer_copy copies all bytes including the guards. Both buffers must be unlocked and have the
 * same layout. buffer_copy_rows copies only the rows of a picture of the same shape. */
void buffer_copy(const Buffer *to, const Buffer *from);
void buffer_copy_rows(const Buffer *to, const Buffer *from);

/* Returns true if all bytes are equal, including the guards. Both buffers must have the same
 * layout. */
bool buffer_equal(const Buffer *a, const Buffer *b);

/* buffer_lock makes the guards inaccessible under AddressSanitizer. buffer_unlock makes them
 * accessible again. */
void buffer_lock(Buffer *buffer);
void buffer_unlock(Buffer *buffer);

/* Returns where guard bytes were changed: "above", "below" or "beside a row". Returns NULL if they
 * are unchanged. */
const char *buffer_overwritten(const Buffer *buffer);

#endif
