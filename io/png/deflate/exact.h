/* Private: a thorough deflater. It knows the matches at each position, finds the division into
 * literals and matches that costs least by the codes of the round before, and repeats that for some
 * rounds. It also chooses where blocks begin, and codes whose headers are short. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_EXACT_H
#define IMGTOOL_IO_PNG_DEFLATE_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ImgExact ImgExact;

/* Parameters that determine how long deflating takes and how small the output becomes. */
typedef struct ImgExactEffort {
    uint32_t rounds; /* number of parses after the first one */
    uint32_t
        depth;     /* largest number of earlier positions to compare at each position, at least 1 */
    uint32_t fine; /* number of places where a block may end, 1 to 128 */
} ImgExactEffort;

enum { IMG_EXACT_EFFORTS = 4 };

/* Returns the parameters for an effort from 1 (fast) to IMG_EXACT_EFFORTS (small). */
ImgExactEffort img_exact_effort(int effort);

/* Allocates the working memory for data of at most `size` bytes. Returns NULL if memory is short.
 */
ImgExact *img_exact_create(size_t size);
/* Returns the working memory in bytes, for data of at most `size` bytes. It is bounded. */
size_t img_exact_bytes(size_t size);
void img_exact_free(ImgExact *work);

/* Deflates `size` bytes, at most INT32_MAX and at most the size given to img_exact_create. `last`:
 * ends the stream; otherwise ends with an empty stored block, so that more data can follow. Writes
 * at most `capacity` bytes to `out`, and returns their number, or 0 if the output would be larger.
 * The IMG_BITS_SLACK bytes after the output must be writable. The output depends only on the
 * arguments. */
size_t img_deflate_exact(ImgExact *work, const ImgExactEffort *effort, const uint8_t *data,
                         size_t size, bool last, uint8_t *out, size_t capacity);

#endif
