/* Private: LZ77 of our own, which suits rows of pixels: what screens, drawings, text and palettes
 * need. Faster than a general one, as few positions that a long match covers are entered, and as
 * short matches among filtered bytes are left alone. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_LZ77_H
#define IMGTOOL_IO_PNG_DEFLATE_LZ77_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/block_starts.h"

typedef struct ImgLz77 ImgLz77;

typedef enum ImgLz77Least {
    IMG_LZ77_FROM_3, /* bytes of a match: 3, where they are near */
    IMG_LZ77_FROM_4,
    IMG_LZ77_FROM_6, /* for filtered bytes, of which literals are shorter than short matches */
} ImgLz77Least;

/* How deep to search for matches. */
typedef struct ImgLz77Effort {
    ImgLz77Least least;
    uint32_t depth;  /* positions that are compared, at least 1 */
    uint32_t enough; /* bytes of a match that ends the search */
    uint32_t lazy;   /* bytes of a match below which the next position is tried, too; 0: never */
    /* Bytes after the first of a match, and at its end, that later matches may refer to. */
    uint32_t head, tail;
} ImgLz77Effort;

/* NULL: no memory. */
ImgLz77 *img_lz77_create(void);
size_t img_lz77_bytes(void); /* of it */
void img_lz77_free(ImgLz77 *work);

/* As img_deflate_runs, for at most `capacity` bytes of output, of which IMG_BITS_SLACK more must be
 * there: 0 if there would be more. `size` is at most INT32_MAX. */
size_t img_deflate_lz77(ImgLz77 *work, const ImgLz77Effort *effort, const uint8_t *data,
                        size_t size, bool last, uint8_t *out, size_t capacity,
                        ImgBlockStarts *starts);

#endif
