/* Checks parts of the PNG codec: inflate, deflate, filters and strips. */
#ifndef IMGTOOL_TESTS_FUZZ_PIXELS_JUDGE_CODEC_H
#define IMGTOOL_TESTS_FUZZ_PIXELS_JUDGE_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/image.h"
#include "tests/fuzz/pixels/choices.h"

/* --- Inflate ---------------------------------------------------------------------------------- */

enum { JUDGE_OUTPUT_MOST = 1 << 18 /* limit of inflated data, in bytes */ };

/* Describes how a stream is inflated in several calls, each with a portion of the input and of the
 * output buffer. */
typedef struct JudgeCuts {
    size_t data, room; /* bytes per portion of input, and of output; at least 1 */
    uint8_t beyond;    /* value of the bytes after the input, which must not affect the result */
} JudgeCuts;

/* The result of zlib's inflate. */
typedef struct Inflated {
    bool is_sound;     /* true if the stream is valid and gives at most JUDGE_OUTPUT_MOST bytes */
    uint8_t *bytes;    /* inflated data, owned */
    size_t size, used; /* number of bytes of the inflated data, and of the stream */
} Inflated;

/* Inflates a raw stream with zlib. The caller frees `bytes` of the result. */
Inflated zlib_inflated(const uint8_t *stream, size_t size);

/* Inflates a raw stream with every version of imgtool's inflate. Aborts unless each version gives
 * the same verdict, data and end of the stream as zlib.
 * Each version inflates the stream in one call, with too little room for the result, in portions,
 * and from the start of each block. Also checks the search for block headers. Returns true if the
 * stream is valid. */
bool judge_inflate(const uint8_t *bytes, size_t size, JudgeCuts cuts);

/* Lists the blocks of a valid stream, without empty ones. Sets `starts` to the position of their
 * first bits. Returns their number, at most `most`. */
size_t list_blocks(const uint8_t *bytes, size_t size, uint64_t *starts, size_t most);

/* --- Deflate ---------------------------------------------------------------------------------- */

/* Deflates the data in up to three pieces, each with a chosen method, and aborts unless zlib
 * inflates them to the same data. Also checks that all versions of a method write the same bytes,
 * and that the reported block starts are right. If the output buffer is too small, a method must
 * return 0 and write nothing past the buffer. */
void judge_deflate(Choices *choices, const uint8_t *data, size_t size);

/* --- Filters and strips ----------------------------------------------------------------------- */

/* Filters a row with every version and each filter. Aborts unless the filtered bytes, and the sums
 * of absolute values by which a filter is chosen, equal those of the reference, and all versions
 * choose the same filter. */
void judge_filters(Choices *choices);

/* Undoes the filters of some rows, by columns and in place, with every version. Aborts unless the
 * bytes equal the reference's and no other byte changes. */
void judge_unfilters(Choices *choices);

/* Encodes the picture as strips of a few rows. Aborts unless zlib inflates each strip to the
 * filtered rows of the picture. The reported sizes, Adler-32 sums and block starts must be right
 * too. */
void judge_strips(Choices *choices, const ImgView *view);

#endif
