/* Private: decompresses deflate streams (RFC 1951) on one core. It is as strict as zlib: both
 * reject the same streams, so that a file means the same to imgtool and to libpng.
 *
 * Short codes are looked up together: a table entry holds up to three literals. Filling tables by
 * doubling and the branchless refill of the bit buffer are known from libdeflate and from F.
 * Giesen, "Reading bits in far too many ways" (2018); several literals per entry from ISA-L.
 *
 * The state holds the bit position in the stream and the current block. The caller passes input and
 * output in portions of any size. */
#ifndef IMGTOOL_IO_PNG_INFLATE_INFLATE_H
#define IMGTOOL_IO_PNG_INFLATE_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    IMG_INFLATE_WINDOW = 32768,    /* the largest distance of a match */
    IMG_INFLATE_DATA_SLACK = 32,   /* bytes after the data that must be readable */
    IMG_INFLATE_ROOM_SLACK = 320,  /* bytes or symbols after the room that must be writable */
    IMG_INFLATE_DATA_LEAST = 1024, /* a smaller portion must be the last one */
};

typedef enum ImgInflateStop {
    IMG_INFLATE_OUTPUT_FULL, /* the output room is full */
    IMG_INFLATE_NEED_INPUT, /* the input is used up; the next portion starts at byte position / 8 */
    IMG_INFLATE_BLOCK,      /* at the end of a block, if the caller asked for it */
    IMG_INFLATE_END,        /* at the end of the last block */
    IMG_INFLATE_DAMAGED     /* the stream is invalid; decoding cannot continue */
} ImgInflateStop;

enum {
    IMG_INFLATE_LITERAL_BITS = 11,
    IMG_INFLATE_DISTANCE_BITS = 8,
    IMG_INFLATE_LITERAL_ENTRIES = (1 << IMG_INFLATE_LITERAL_BITS) + 144 * 16,
    IMG_INFLATE_DISTANCE_ENTRIES = (1 << IMG_INFLATE_DISTANCE_BITS) + 16 * 128,
};

/* About 70 KB: too large for the stack. */
typedef struct ImgInflate {
    uint64_t position; /* bits of the stream that are consumed */
    bool in_block, last_block, stored;
    bool fixed; /* the tables are those of the fixed codes */
    uint32_t stored_left;
    uint64_t literals[IMG_INFLATE_LITERAL_ENTRIES];
    uint64_t distances[IMG_INFLATE_DISTANCE_ENTRIES];
    uint64_t singles[1 << IMG_INFLATE_LITERAL_BITS]; /* working copy for filling `literals` */
} ImgInflate;

/* A portion of the stream. */
typedef struct ImgInflateData {
    const uint8_t *bytes;
    uint64_t start; /* offset of the portion in the stream, in bytes; at most position / 8 */
    size_t size;
    bool last; /* the stream ends with this portion */
} ImgInflateData;

/* Output buffer. Matches may refer to everything from `begin` on. Writing stops at or after
 * `limit`, exceeding it by less than the slack. */
typedef struct ImgInflateRoom {
    uint8_t *begin, *at, *limit;
} ImgInflateRoom;

/* Output for a stream whose preceding window is unknown, as 16-bit symbols. A symbol below 256 is a
 * byte. Any other is a marker: a back-reference to byte number `symbol - IMG_INFLATE_MARKER` of the
 * 32768 bytes before `begin`. The IMG_INFLATE_WINDOW symbols before `begin` must be these markers,
 * in order (img_inflate_fill_markers). */
typedef struct ImgInflateSymbols {
    uint16_t *begin, *at, *limit;
} ImgInflateSymbols;

enum { IMG_INFLATE_MARKER = 0x8000 };

/* Starts at a bit position where a block starts. */
void img_inflate_start(ImgInflate *state, uint64_t position);

/* Inflates until a reason to stop occurs; stops between blocks only with `stop_at_blocks`. */
ImgInflateStop img_inflate(ImgInflate *state, const ImgInflateData *data, ImgInflateRoom *room,
                           bool stop_at_blocks);
ImgInflateStop img_inflate_symbols(ImgInflate *state, const ImgInflateData *data,
                                   ImgInflateSymbols *symbols, bool stop_at_blocks);

/* Fills the IMG_INFLATE_WINDOW symbols before the first output symbol with their markers. */
void img_inflate_fill_markers(uint16_t *window);

#endif
