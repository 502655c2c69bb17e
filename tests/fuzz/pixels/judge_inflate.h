/* Checks every version of our inflate against zlib on raw deflate streams. */
#ifndef IMGTOOL_TESTS_FUZZ_PIXELS_JUDGE_INFLATE_H
#define IMGTOOL_TESTS_FUZZ_PIXELS_JUDGE_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JUDGE_OUTPUT_MOST = 1 << 18 /* limit of inflated bytes */ };

/* Sizes for inflating in portions. */
typedef struct JudgeCuts {
    size_t data, room; /* bytes of a portion of input and of output, at least 1 */
    uint8_t beyond;    /* value of the bytes after the data, which must not matter */
} JudgeCuts;

/* The result of zlib's inflate. */
typedef struct Inflated {
    bool is_sound;     /* the stream is valid and gives at most JUDGE_OUTPUT_MOST bytes */
    uint8_t *bytes;    /* inflated data, owned */
    size_t size, used; /* bytes of the data, and of the stream */
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

#endif
