/* Private: decompresses deflate streams (RFC 1951) on one core. It is as strict as zlib: both
 * reject the same streams, so imgtool and libpng agree on every file.
 *
 * Short codes are looked up together: a table entry holds up to three literals. The tables are
 * filled by doubling, and the bit buffer is refilled without branches, as in libdeflate and in F.
 * Giesen, "Reading bits in far too many ways" (2018). Several literals per entry are known from
 * ISA-L.
 *
 * The state holds the bit position in the stream and the current block. The caller passes input and
 * output in portions of any size. */
#ifndef IMGTOOL_IO_PNG_INFLATE_INFLATE_H
#define IMGTOOL_IO_PNG_INFLATE_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    IMG_INFLATE_WINDOW = 32768,    /* largest distance of a match in bytes */
    IMG_INFLATE_DATA_SLACK = 32,   /* bytes after the data that must be readable */
    IMG_INFLATE_ROOM_SLACK = 320,  /* bytes or symbols after the room that must be writable */
    IMG_INFLATE_DATA_LEAST = 1024, /* bytes; only the last portion may be smaller */
};

typedef enum ImgInflateStop {
    IMG_INFLATE_OUTPUT_FULL, /* the output room has reached its limit */
    /* The input is used up; the next portion must start at byte position / 8. */
    IMG_INFLATE_NEED_INPUT,
    IMG_INFLATE_BLOCK,  /* a block has ended, and the caller asked to stop there */
    IMG_INFLATE_END,    /* the last block has ended */
    IMG_INFLATE_DAMAGED /* the stream is invalid; decoding cannot continue */
} ImgInflateStop;

enum {
    IMG_INFLATE_LITERAL_BITS = 11,
    IMG_INFLATE_DISTANCE_BITS = 8,
    IMG_INFLATE_LITERAL_ENTRIES = (1 << IMG_INFLATE_LITERAL_BITS) + 144 * 16,
    IMG_INFLATE_DISTANCE_ENTRIES = (1 << IMG_INFLATE_DISTANCE_BITS) + 16 * 128,
};

/* The state of decompression. About 70 KB: too large for the stack. */
typedef struct ImgInflate {
    uint64_t position; /* number of bits of the stream that are consumed */
    bool in_block, last_block, stored;
    bool fixed; /* true if the tables are those of the fixed codes */
    uint32_t stored_left;
    uint64_t literals[IMG_INFLATE_LITERAL_ENTRIES];
    uint64_t distances[IMG_INFLATE_DISTANCE_ENTRIES];
    /* Working copy of `literals`, with one symbol per entry. */
    uint64_t singles[1 << IMG_INFLATE_LITERAL_BITS];
} ImgInflate;

/* A portion of the stream. */
typedef struct ImgInflateData {
    const uint8_t *bytes;
    /* Offset of the portion in the stream, in bytes; must be at most position / 8. */
    uint64_t start;
    size_t size;
    bool last; /* true if the stream ends with this portion */
} ImgInflateData;

/* The output buffer. Matches may refer to all bytes from `begin` onwards. Writing stops at or after
 * `limit`, and exceeds it by less than the slack. */
typedef struct ImgInflateRoom {
    uint8_t *begin, *at, *limit;
} ImgInflateRoom;

/* Output as 16-bit symbols, for a stream whose preceding window is unknown. A symbol below 256 is a
 * byte. Any other symbol is a marker: it refers to byte number `symbol - IMG_INFLATE_MARKER` of the
 * 32,768 bytes before `begin`. The IMG_INFLATE_WINDOW symbols before `begin` must be these markers,
 * in order (img_inflate_fill_markers). */
typedef struct ImgInflateSymbols {
    uint16_t *begin, *at, *limit;
} ImgInflateSymbols;

enum { IMG_INFLATE_MARKER = 0x8000 };

/* Sets the state to bit `position` of the stream, at which a block must start. */
void img_inflate_start(ImgInflate *state, uint64_t position);

/* Inflates until there is a reason to stop, and returns it. Stops between blocks only if
 * `stop_at_blocks` is true. */
ImgInflateStop img_inflate(ImgInflate *state, const ImgInflateData *data, ImgInflateRoom *room,
                           bool stop_at_blocks);
ImgInflateStop img_inflate_symbols(ImgInflate *state, const ImgInflateData *data,
                                   ImgInflateSymbols *symbols, bool stop_at_blocks);

/* Fills `window`, the IMG_INFLATE_WINDOW symbols before the first output symbol, with their
 * markers. */
void img_inflate_fill_markers(uint16_t *window);

#endif
