/* Private: decompresses deflate streams (RFC 1951) on one core. It is as strict as zlib: both
 * reject the same streams, so imgtool and libpng agree on every file.
 *
 * Short codes are looked up together: a table entry holds up to three literals, as in ISA-L. The
 * tables are filled by doubling, and the bit buffer is refilled without branches, as in libdeflate
 * and in F. Giesen, "Reading bits in far too many ways" (2018).
 *
 * The state holds the bit position in the stream and the current block. The caller passes input and
 * output in portions of any size. */
#ifndef IMGTOOL_IO_PNG_INFLATE_INFLATE_H
#define IMGTOOL_IO_PNG_INFLATE_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    IMG_INFLATE_WINDOW = 32768,  /* largest distance of a match in bytes */
    IMG_INFLATE_DATA_SLACK = 32, /* number of readable bytes that must follow the input */
    /* Number of writable bytes or symbols that must follow the output. */
    IMG_INFLATE_ROOM_SLACK = 320,
    /* Smallest size of a portion of input in bytes. Only the last portion may be smaller. */
    IMG_INFLATE_DATA_LEAST = 1024,
};

typedef enum ImgInflateStop {
    IMG_INFLATE_OUTPUT_FULL, /* The output has reached its limit. */
    /* The input is used up. The next portion must start at byte ImgInflate.position / 8 of the
     * stream. */
    IMG_INFLATE_NEED_INPUT,
    IMG_INFLATE_BLOCK,  /* A block has ended, and the caller wants to stop between blocks. */
    IMG_INFLATE_END,    /* The last block of the stream has ended. */
    IMG_INFLATE_DAMAGED /* The stream is invalid, and decoding cannot continue. */
} ImgInflateStop;

enum {
    IMG_INFLATE_LITERAL_BITS = 11,
    IMG_INFLATE_DISTANCE_BITS = 8,
    IMG_INFLATE_LITERAL_ENTRIES = (1 << IMG_INFLATE_LITERAL_BITS) + 144 * 16,
    IMG_INFLATE_DISTANCE_ENTRIES = (1 << IMG_INFLATE_DISTANCE_BITS) + 16 * 128,
};

/* The state of decompression. It has about 70 KB, which is too large for the stack. */
typedef struct ImgInflate {
    uint64_t position; /* number of bits of the stream that have been consumed */
    bool in_block, last_block, stored;
    bool fixed; /* true if the tables contain the fixed codes */
    uint32_t stored_left;
    uint64_t literals[IMG_INFLATE_LITERAL_ENTRIES];
    uint64_t distances[IMG_INFLATE_DISTANCE_ENTRIES];
    /* Working copy of the table `literals`, with a single symbol per entry. */
    uint64_t singles[1 << IMG_INFLATE_LITERAL_BITS];
} ImgInflate;

/* A portion of the compressed stream. */
typedef struct ImgInflateData {
    const uint8_t *bytes;
    /* Offset of the portion in the stream in bytes. It must be at most ImgInflate.position / 8. */
    uint64_t start;
    size_t size;
    bool last; /* true if the stream ends with this portion */
} ImgInflateData;

/* The output buffer. Matches may refer to all bytes from `begin` up to `at`, the end of the output.
 * Writing stops when `at` reaches `limit`; the last write may go past `limit` by less than
 * IMG_INFLATE_ROOM_SLACK bytes. */
typedef struct ImgInflateRoom {
    uint8_t *begin, *at, *limit;
} ImgInflateRoom;

/* Output buffer for 16-bit symbols, for a stream whose preceding bytes are unknown. A symbol below
 * 256 is a byte. Any other symbol is a marker: it stands for byte number symbol -
 * IMG_INFLATE_MARKER of the 32,768 bytes before `begin`. The IMG_INFLATE_WINDOW symbols before
 * `begin` must be all markers in order (img_inflate_fill_markers). */
typedef struct ImgInflateSymbols {
    uint16_t *begin, *at, *limit;
} ImgInflateSymbols;

enum { IMG_INFLATE_MARKER = 0x8000 };

/* Initialises the state for decoding from bit `position` of the stream. A block must start
 * there. */
void img_inflate_start(ImgInflate *state, uint64_t position);

/* Inflates until the output is full, more input is needed, or the stream ends or is damaged.
 * Returns this reason. Also stops after each block if `stop_at_blocks` is true. */
ImgInflateStop img_inflate(ImgInflate *state, const ImgInflateData *data, ImgInflateRoom *room,
                           bool stop_at_blocks);
ImgInflateStop img_inflate_symbols(ImgInflate *state, const ImgInflateData *data,
                                   ImgInflateSymbols *symbols, bool stop_at_blocks);

/* Sets `window` to the IMG_INFLATE_WINDOW markers that must precede the first output symbol. */
void img_inflate_fill_markers(uint16_t *window);

/* Sets `*found` to the first bit position in [from, to) at which a dynamic block may start that is
 * not the last block. Its whole header must be valid. Returns false if there is no such position.
 * The caller must handle false positives, although 5 * 10^8 bits of noise gave none.
 *
 * Positions count from the start of `bytes`, which has `size` bytes. IMG_INFLATE_DATA_SLACK bytes
 * after them must be readable. `state` is working memory. */
bool img_inflate_find(ImgInflate *state, const uint8_t *bytes, size_t size, uint64_t from,
                      uint64_t to, uint64_t *found);

/* Returns the offset in [from, to) of the first possible length field of a stored block. This field
 * is a 16-bit number and its complement (RFC 1951, 3.2.4). Returns `to` if there is none.
 * IMG_INFLATE_DATA_SLACK bytes after `to` must be readable. In noise one of 65,536 positions is a
 * false positive. */
size_t img_inflate_find_lengths(const uint8_t *bytes, size_t from, size_t to);

#endif
