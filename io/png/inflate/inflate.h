/* Private: deflate streams (RFC 1951) back to bytes, as fast as one core goes and as strict as
 * zlib: what zlib refuses is refused here, so that a file means the same to imgtool and to libpng.
 *
 * Short codes are looked up several at a time: an entry of the table holds up to three literals.
 * The method of filling and doubling tables and the branchless refill of the bits are known from
 * libdeflate and from F. Giesen, "Reading bits in far too many ways" (2018); several literals per
 * entry from ISA-L.
 *
 * A state remembers where it stands in the stream, in bits, and the block that it is in; data and
 * room come in portions, as the caller likes. */
#ifndef IMGTOOL_IO_PNG_INFLATE_INFLATE_H
#define IMGTOOL_IO_PNG_INFLATE_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    IMG_INFLATE_WINDOW = 32768,    /* the farthest distance of a match */
    IMG_INFLATE_DATA_SLACK = 32,   /* bytes after the data that must be readable */
    IMG_INFLATE_ROOM_SLACK = 320,  /* bytes or symbols after the room that must be writable */
    IMG_INFLATE_DATA_LEAST = 1024, /* a smaller portion must be the last one */
};

typedef enum ImgInflateStop {
    IMG_INFLATE_OUTPUT_FULL, /* the room is used up */
    IMG_INFLATE_NEED_INPUT,  /* the data is used up: the next portion starts at byte position / 8 */
    IMG_INFLATE_BLOCK,       /* at the end of a block, where the caller wants to know */
    IMG_INFLATE_END,         /* at the end of the last block */
    IMG_INFLATE_DAMAGED      /* unrecoverable: nothing more can be inflated */
} ImgInflateStop;

enum {
    IMG_INFLATE_LITERAL_BITS = 11,
    IMG_INFLATE_DISTANCE_BITS = 8,
    IMG_INFLATE_LITERAL_ENTRIES = (1 << IMG_INFLATE_LITERAL_BITS) + 144 * 16,
    IMG_INFLATE_DISTANCE_ENTRIES = (1 << IMG_INFLATE_DISTANCE_BITS) + 16 * 128,
};

/* About 70 KB: too much for a stack that somebody else may need. */
typedef struct ImgInflate {
    uint64_t position; /* bits of the stream that are used up */
    bool in_block, last_block, stored;
    bool fixed; /* the tables are those of the fixed codes */
    uint32_t stored_left;
    uint64_t literals[IMG_INFLATE_LITERAL_ENTRIES];
    uint64_t distances[IMG_INFLATE_DISTANCE_ENTRIES];
    uint64_t singles[1 << IMG_INFLATE_LITERAL_BITS]; /* to make `literals` of */
} ImgInflate;

/* A portion of the stream. */
typedef struct ImgInflateData {
    const uint8_t *bytes;
    uint64_t start; /* of the portion in the stream, in bytes; at most position / 8 */
    size_t size;
    bool last; /* nothing comes after it */
} ImgInflateData;

/* Where the output goes. Everything from `begin` on may be referred to. Writing stops at or after
 * `limit`, by less than the slack. */
typedef struct ImgInflateRoom {
    uint8_t *begin, *at, *limit;
} ImgInflateRoom;

/* The same for output of which the window before is not known: symbols of 16 bits. One below 256 is
 * a byte, any other a marker, a back-reference to byte number `symbol - IMG_INFLATE_MARKER` of the
 * 32768 bytes before `begin`. The IMG_INFLATE_WINDOW symbols before `begin` must be these markers,
 * in order (img_inflate_fill_markers). */
typedef struct ImgInflateSymbols {
    uint16_t *begin, *at, *limit;
} ImgInflateSymbols;

enum { IMG_INFLATE_MARKER = 0x8000 };

/* At a bit of the stream where a block starts. */
void img_inflate_start(ImgInflate *state, uint64_t position);

/* Goes on until one of the reasons to stop; between blocks only where `stop_at_blocks`. */
ImgInflateStop img_inflate(ImgInflate *state, const ImgInflateData *data, ImgInflateRoom *room,
                           bool stop_at_blocks);
ImgInflateStop img_inflate_symbols(ImgInflate *state, const ImgInflateData *data,
                                   ImgInflateSymbols *symbols, bool stop_at_blocks);

/* Fills the IMG_INFLATE_WINDOW symbols before the first one that is written with their markers. */
void img_inflate_fill_markers(uint16_t *window);

#endif
