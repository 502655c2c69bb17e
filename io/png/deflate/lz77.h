/* Private: an LZ77 encoder for rows of pixels of screens, drawings, text and palettes. It is faster
 * than a general one because it enters few of the positions that a long match covers, and ignores
 * short matches among filtered bytes. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_LZ77_H
#define IMGTOOL_IO_PNG_DEFLATE_LZ77_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/block_starts.h"

typedef struct ImgLz77 ImgLz77;

typedef enum ImgLz77Least {
    IMG_LZ77_FROM_3, /* shortest match: 3 bytes, if it is near */
    IMG_LZ77_FROM_4,
    IMG_LZ77_FROM_6, /* for filtered bytes, where literals are shorter than short matches */
} ImgLz77Least;

/* Parameters of the search for matches. */
typedef struct ImgLz77Effort {
    ImgLz77Least least;
    uint32_t depth;  /* positions to compare, at least 1 */
    uint32_t enough; /* length of a match that ends the search, in bytes */
    uint32_t lazy;   /* matches shorter than this many bytes are compared with one at the next
                      * position; 0: never */
    /* Bytes after the first of a match, and at its end, that later matches may refer to. */
    uint32_t head, tail;
} ImgLz77Effort;

/* Returns NULL if memory is short. */
ImgLz77 *img_lz77_create(void);
size_t img_lz77_bytes(void); /* memory of an ImgLz77 */
void img_lz77_free(ImgLz77 *work);

/* Like img_deflate_runs, for at most `capacity` bytes of output, after which IMG_BITS_SLACK more
 * bytes must be writable. Returns 0 if the output would be larger. `size` is at most INT32_MAX. */
size_t img_deflate_lz77(ImgLz77 *work, const ImgLz77Effort *effort, const uint8_t *data,
                        size_t size, bool last, uint8_t *out, size_t capacity,
                        ImgBlockStarts *starts);

#endif
