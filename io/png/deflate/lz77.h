/* Private: an LZ77 encoder for rows of screens, drawings, text and palette indices. It is faster
 * than a general encoder for two reasons. It enters only a few positions of a long match in its
 * tables, and it ignores short matches among filtered bytes. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_LZ77_H
#define IMGTOOL_IO_PNG_DEFLATE_LZ77_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/block_starts.h"

typedef struct ImgLz77 ImgLz77;

typedef enum ImgLz77Least {
    IMG_LZ77_FROM_3, /* Matches have at least 3 bytes; matches of 3 bytes must be near. */
    IMG_LZ77_FROM_4,
    /* Matches have at least 6 bytes, because shorter matches of filtered bytes cost more than
     * literals. */
    IMG_LZ77_FROM_6,
} ImgLz77Least;

/* Parameters that determine how long the search for matches takes and how small the output
 * becomes. */
typedef struct ImgLz77Effort {
    ImgLz77Least least;
    uint32_t depth;  /* largest number of earlier positions to compare, at least 1 */
    uint32_t enough; /* length of a match in bytes that ends the search */
    /* If a match is shorter than this many bytes, the match at the next position is also searched,
     * and the cheaper one is used. 0: never. */
    uint32_t lazy;
    /* Number of positions of a match that are entered in the tables: after its first byte, and at
     * its end. */
    uint32_t head, tail;
} ImgLz77Effort;

/* Allocates the working memory of img_deflate_lz77. Returns NULL if memory is short. */
ImgLz77 *img_lz77_create(void);
size_t img_lz77_bytes(void); /* Returns the size of an ImgLz77 in bytes. */
void img_lz77_free(ImgLz77 *work);

/* Deflates as img_deflate_runs does, but with matches at all distances, and writes at most
 * `capacity` bytes. Returns 0 if the output would be larger. The IMG_BITS_SLACK bytes after the
 * output must be writable. `size` is at most INT32_MAX. */
size_t img_deflate_lz77(ImgLz77 *work, const ImgLz77Effort *effort, const uint8_t *data,
                        size_t size, bool last, uint8_t *out, size_t capacity,
                        ImgBlockStarts *starts);

#endif
