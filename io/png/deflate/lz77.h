/* Private: an LZ77 encoder for rows of screens, drawings, text and palette indices. It is faster
 * than a general encoder for two reasons: it enters only few of the positions that a long match
 * covers, and it ignores short matches among filtered bytes. */
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
    /* Shortest match: 6 bytes; for filtered bytes, whose literals cost less than short matches. */
    IMG_LZ77_FROM_6,
} ImgLz77Least;

/* Parameters of the search for matches. */
typedef struct ImgLz77Effort {
    ImgLz77Least least;
    uint32_t depth;  /* largest number of positions to compare, at least 1 */
    uint32_t enough; /* length of a match in bytes that ends the search */
    /* A match shorter than this many bytes is compared with one at the next position; 0: never. */
    uint32_t lazy;
    /* Bytes after the first byte of a match, and bytes at its end, that are entered for later
     * matches. */
    uint32_t head, tail;
} ImgLz77Effort;

/* Allocates working memory. Returns NULL if memory is short. */
ImgLz77 *img_lz77_create(void);
size_t img_lz77_bytes(void); /* Returns the size of an ImgLz77 in bytes. */
void img_lz77_free(ImgLz77 *work);

/* Deflates as img_deflate_runs does, but with all matches and at most `capacity` bytes of output.
 * IMG_BITS_SLACK more bytes must be writable after the output. Returns 0 if the output would be
 * larger than `capacity`. `size` is at most INT32_MAX. */
size_t img_deflate_lz77(ImgLz77 *work, const ImgLz77Effort *effort, const uint8_t *data,
                        size_t size, bool last, uint8_t *out, size_t capacity,
                        ImgBlockStarts *starts);

#endif
