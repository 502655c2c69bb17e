/* Private: a rule that estimates two properties of a strip: which filters suit it if it is deflated
 * with run-length encoding (matches only at distance 1), and whether LZ77 may make it smaller. A
 * strip is a group of rows of pixels, not of palette indices. CPU and GPU compute the same
 * integers, in any order.
 *
 * 1. A strip is examined through two windows, in the middle of its halves. A window has some
 *    rows, and at most 8,191 bytes from the middle of each. It is filtered as if no pixels were
 *    left of it. A window has at most 16 KB, including its filter types.
 * 2. Size with run-length encoding: a run is a sequence of eight or more bytes equal to the byte
 *    before it. The symbols are the literals outside runs, and one symbol for all matches. A run
 *    takes one match per 258 bytes. A symbol costs the logarithm of the total count minus that of
 *    its own count. A literal costs at least half a bit; a match costs two more bits. Literals are
 *    counted in every second section of 512 bytes, and the counts are doubled.
 * 3. Bits saved by LZ77: every fourth position outside runs is looked up if at least eight bytes
 *    (a word) are left. Its word matches if it equals the word one row back, or else the word at
 *    the position in a table, selected by a hash. The table holds the last position outside runs
 *    before the current step of 512 positions; entries start as 0. A match extends over all equal
 *    bytes, at most 64. It saves the cost of its literals and of one match for each run that
 *    begins in it, in whole bits, minus 24. The first match that saves anything is used, and the
 *    search continues after it. If more than 2,048 bytes are outside runs, lookups end with the
 *    group of 32 positions that contains the 2,048th, and the savings are scaled up.
 * 4. LZ77 may pay if it saves 1/64 of the bits that run-length encoding needs. If run-length
 *    encoding shrinks the windows to less than 1/12, LZ77 takes less time, so 1/1024 suffices. If
 *    it shrinks them to less than 1/64, the windows are not representative, and LZ77 may always
 *    pay. This estimate uses the Paeth filter at all levels. */
#ifndef IMGTOOL_IO_PNG_ENCODE_ESTIMATE_RULE_H
#define IMGTOOL_IO_PNG_ENCODE_ESTIMATE_RULE_H

#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/logarithm.h"
#include "kernels/core/cuda/host_device.h"

enum {
    IMG_WINDOWS = 2,
    IMG_WINDOW_MOST = 1 << 14, /* largest size of a window in bytes, including filter types */
    /* Largest number of bytes in a row of a window. Two rows of this length and their filter types
     * fit into a window. */
    IMG_WINDOW_ROW_MOST = IMG_WINDOW_MOST / 2 - 1,
    IMG_ESTIMATE_WORD = 8, /* smallest length of a match in bytes */
    IMG_ESTIMATE_LITERALS = 1 << 11,
    IMG_ESTIMATE_GROUP = 32,
    IMG_ESTIMATE_SLOT_BITS = 12,
    IMG_ESTIMATE_SLOTS = 1 << IMG_ESTIMATE_SLOT_BITS,
    IMG_ESTIMATE_STEP = 512,
    IMG_ESTIMATE_EVERY = 4,   /* only every fourth position is looked up in the table */
    IMG_ESTIMATE_COUNTED = 2, /* only every second section of the data is counted */
    IMG_ESTIMATE_LENGTH_MOST = 64,
    IMG_ESTIMATE_MATCH_BITS = 24,
    /* Smallest cost of a literal, and additional cost of a match, in sixteenths of a bit. */
    IMG_ESTIMATE_LITERAL_LEAST = 8,
    IMG_ESTIMATE_DISTANCE = 2 * 16,
};

/* A section of a strip that is examined: some rows, and some bytes of each row. */
typedef struct ImgWindow {
    int32_t from, rows;
    uint32_t offset, bytes;
} ImgWindow;

/* Returns the window in the middle of part `number` of a strip that is divided into `parts` equal
 * parts. The strip has `rows` rows from row `from` onwards. The window has at most `row_most` bytes
 * of each row and `most` bytes in all. */
IMG_HOST_DEVICE ImgWindow img_window_of(size_t row_bytes, size_t pixel, int32_t from, int32_t rows,
                                        int32_t number, int32_t parts, size_t row_most, size_t most)
{
    const size_t wide = row_most / pixel * pixel, bytes = row_bytes < wide ? row_bytes : wide;
    const int32_t fit = (int32_t)(most / (1 + bytes));
    ImgWindow window;
    window.rows = rows < fit ? rows : fit;
    window.from = from + (int32_t)((int64_t)(rows - window.rows) * (2 * number + 1) / (2 * parts));
    window.offset = (uint32_t)((row_bytes - bytes) / 2 / pixel * pixel);
    window.bytes = (uint32_t)bytes;
    return window;
}

/* Returns window 0 or 1 of the strip that has `rows` rows from row `from` onwards. */
IMG_HOST_DEVICE ImgWindow img_window(size_t row_bytes, size_t pixel, int32_t from, int32_t rows,
                                     int32_t number)
{
    return img_window_of(row_bytes, pixel, from, rows, number, IMG_WINDOWS, IMG_WINDOW_ROW_MOST,
                         IMG_WINDOW_MOST);
}

/* Returns the number of bits that LZ77 saves in a whole window. If the window has too many
 * literals, only the first ones were looked up; then `saved` is scaled up. */
IMG_HOST_DEVICE uint32_t img_estimate_of_all(uint32_t saved, uint32_t literals)
{
    return literals > IMG_ESTIMATE_LITERALS ? saved * literals / IMG_ESTIMATE_LITERALS : saved;
}

/* Returns the number of deflate matches that encode a run of `length` bytes. A match has at most
 * 258 bytes. */
IMG_HOST_DEVICE uint32_t img_matches_of_run(uint32_t length)
{
    return (length + 257) / 258;
}

/* Returns the number of bits that a match saves, or 0. `cost` is the cost of its bytes without the
 * match, in sixteenths of a bit. */
IMG_HOST_DEVICE uint32_t img_estimate_saved(uint32_t cost)
{
    const uint32_t bits = cost / 16;
    return bits > IMG_ESTIMATE_MATCH_BITS ? bits - IMG_ESTIMATE_MATCH_BITS : 0;
}

/* Returns the cost, in sixteenths of a bit, of a symbol that occurs `count` times among `all`
 * symbols. Both numbers may be estimates. */
IMG_HOST_DEVICE uint32_t img_estimate_cost(uint32_t all, uint32_t count)
{
    const uint32_t of_all = img_logarithm(all), of_count = img_logarithm(count);
    return of_all > of_count ? of_all - of_count : 0;
}

/* Returns the slot of the table for a position. `word` contains the eight bytes at the position;
 * the first byte is in the lowest bits. */
IMG_HOST_DEVICE uint32_t img_estimate_slot(uint64_t word)
{
    return (uint32_t)(word * 0x9E3779B185EBCA87U >> (64 - IMG_ESTIMATE_SLOT_BITS));
}

/* Returns true if all rows should use the Paeth filter. The arguments are sizes in sixteenths of a
 * bit if the windows are deflated with run-length encoding: `by_paeth` with the Paeth filter,
 * `by_sums` with filters chosen by sums. Choosing filters takes more time, so it must save at least
 * 1/256. */
IMG_HOST_DEVICE int img_estimate_is_for_paeth(uint32_t by_paeth, uint32_t by_sums)
{
    return (uint64_t)by_sums * 256 > (uint64_t)by_paeth * 255;
}

/* Returns true if LZ77 may make the strip smaller. The windows have `bytes` bytes, and take `runs`
 * sixteenths of a bit if they are deflated with run-length encoding. LZ77 saves `saved` bits in
 * these windows. */
IMG_HOST_DEVICE int img_estimate_pays(uint32_t saved, uint32_t runs, uint32_t bytes)
{
    const uint64_t all = (uint64_t)bytes * 8 * 16, by_runs = runs, less = (uint64_t)saved * 16;
    return less * 64 >= by_runs || by_runs * 64 < all ||
           (by_runs * 12 < all && less * 1024 >= by_runs);
}

#endif
