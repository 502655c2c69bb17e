/* Checks parts of the PNG codec: inflate, deflate, filters and strips. */
#ifndef IMGTOOL_TESTS_FUZZ_PIXELS_JUDGE_CODEC_H
#define IMGTOOL_TESTS_FUZZ_PIXELS_JUDGE_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/image.h"
#include "tests/fuzz/pixels/choices.h"

/* --- Inflate ---------------------------------------------------------------------------------- */

enum { JUDGE_OUTPUT_MOST = 1 << 18 /* limit of inflated bytes */ };

/* Sizes for inflating in portions. */
typedef struct JudgeCuts {
    size_t data, room; /* number of bytes in a portion of input and of output, at least 1 */
    uint8_t beyond;    /* value of the bytes after the data, which must not matter */
} JudgeCuts;

/* The result of zlib's inflate. */
typedef struct Inflated {
    bool is_sound;     /* the stream is valid and gives at most JUDGE_OUTPUT_MOST bytes */
    uint8_t *bytes;    /* inflated data, owned */
    size_t size, used; /* number of bytes of the inflated data, and of the stream */
} Inflated;

/* Inflates a raw stream with zlib. The caller frees `bytes`. */
Inflated zlib_inflated(const uint8_t *stream, size_t size);

/* Aborts unless every version gives zlib's verdict, data and end of the stream: in one call, with
 * too little room, in portions, and from block starts in the middle. Also checks the search for
 * block headers. Returns whether the stream is sound. */
bool judge_inflate(const uint8_t *bytes, size_t size, JudgeCuts cuts);

/* Sets `starts` to the first bits of the blocks of a sound stream, without empty blocks. Returns
 * their number, at most `most`. */
size_t list_blocks(const uint8_t *bytes, size_t size, uint64_t *starts, size_t most);

/* --- Deflate ---------------------------------------------------------------------------------- */

/* Deflates the data in up to three pieces, each with a chosen method, and aborts unless zlib
 * inflates the same data. Also checks that all versions of a method write the same bytes, that
 * reported block starts are right, and that a method with too little room returns 0 and writes
 * nothing past it. */
void judge_deflate(Choices *choices, const uint8_t *data, size_t size);

/* --- Filters and strips ----------------------------------------------------------------------- */

/* Filters a row below another one: every version gives the reference's bytes and sums for each
 * filter, and chooses the same filter. */
void judge_filters(Choices *choices);

/* Undoes the filters of some rows, by columns and in place: every version gives the reference's
 * bytes and writes nothing else. */
void judge_unfilters(Choices *choices);

/* Encodes the picture as strips of a few rows: zlib inflates each strip to the filtered rows of the
 * picture, and reported sizes, sums and block starts are right. */
void judge_strips(Choices *choices, const ImgView *view);

#endif
