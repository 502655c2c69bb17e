/* Raw deflate streams by our inflate, in all its versions and ways, held against zlib's. */
#ifndef IMGTOOL_TESTS_FUZZ_PIXELS_JUDGE_INFLATE_H
#define IMGTOOL_TESTS_FUZZ_PIXELS_JUDGE_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JUDGE_OUTPUT_MOST = 1 << 18 /* bytes: of streams that give more no more is inflated */ };

/* How the stream and the room for its output are cut. */
typedef struct JudgeCuts {
    size_t data, room; /* bytes of a portion, at least 1 */
    uint8_t beyond;    /* what lies after the data, which must not matter */
} JudgeCuts;

/* What zlib makes of a stream. */
typedef struct Inflated {
    bool is_sound;  /* it ends, with no more bytes than JUDGE_OUTPUT_MOST */
    uint8_t *bytes; /* owned; of exactly this size if it is sound */
    size_t size, used;
} Inflated;

Inflated zlib_inflated(const uint8_t *stream, size_t size);

/* Ends the program unless every version of ours comes to zlib's verdict, with the same bytes and
 * the same end: whole, with too little room, in portions, and from the middle. True: it is sound.
 */
bool judge_inflate(const uint8_t *bytes, size_t size, JudgeCuts cuts);

/* Where blocks of a sound stream begin that hold any data, in bits: up to `most`. How many there
 * are. */
size_t list_blocks(const uint8_t *bytes, size_t size, uint64_t *starts, size_t most);

#endif
