/* Private: a rule that estimates two things: which filters suit a strip of values if it is deflated
 * by runs, and whether matches may make it smaller. A strip is a group of rows; values are pixels,
 * not palette indices. CPU and GPU get the same integers, in any order of computation.
 *
 * 1. A strip is examined through two windows, in the middle of its halves. A window has some rows,
 *    and at most 8,191 bytes from the middle of each. It is filtered as if nothing surrounded it,
 *    and has at most 16 KB with its filter types.
 * 2. By runs: a run is a sequence of eight or more bytes equal to the byte before it. Symbols are
 *    the literals outside runs, and one symbol for all matches; a run takes one match per 258
 *    bytes. A symbol costs the logarithm of the total count less that of its own count, a literal
 *    at least half a bit; a match costs two bits more. Literals are counted in every second piece
 *    of 512 bytes, twice each.
 * 3. By matches: every fourth position outside runs is looked up if at least eight bytes (a word)
 *    are left. Its word matches if it equals the word one row back, or else the word at the
 *    position in a table, selected by a hash. The table holds the last position outside runs before
 *    the current step of 512 positions; entries start as 0. A match extends over all equal bytes,
 *    at most 64. It saves the cost of its literals and of one match for each run that begins in it,
 *    in whole bits, less 24. The first match that saves anything is used, and the search continues
 *    after it. If more than 2,048 bytes are outside runs, lookups end with the group of 32
 *    positions that contains the 2,048th, and the savings are scaled up.
 * 4. Matches may pay if they save 1/64 of the bits by runs. A strip that runs shrink to 1/12 takes
 *    less time, so that 1/1024 suffices. If runs shrink it to 1/64, a window is not representative,
 *    and matches may always pay. This estimate uses the Paeth filter at all levels. */
#ifndef IMGTOOL_IO_PNG_ENCODE_ESTIMATE_RULE_H
#define IMGTOOL_IO_PNG_ENCODE_ESTIMATE_RULE_H

#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/logarithm.h"
#include "kernels/core/cuda/host_device.h"

enum {
    IMG_WINDOWS = 2,
    IMG_WINDOW_MOST = 1 << 14, /* largest size of a window in bytes */
    /* Largest number of bytes of a window's row; two rows with their filter types then fit. */
    IMG_WINDOW_ROW_MOST = IMG_WINDOW_MOST / 2 - 1,
    IMG_ESTIMATE_WORD = 8, /* least length of a match in bytes */
    IMG_ESTIMATE_LITERALS = 1 << 11,
    IMG_ESTIMATE_GROUP = 32,
    IMG_ESTIMATE_SLOT_BITS = 12,
    IMG_ESTIMATE_SLOTS = 1 << IMG_ESTIMATE_SLOT_BITS,
    IMG_ESTIMATE_STEP = 512,
    IMG_ESTIMATE_EVERY = 4,   /* every fourth position is looked up */
    IMG_ESTIMATE_COUNTED = 2, /* every second piece is counted */
    IMG_ESTIMATE_LENGTH_MOST = 64,
    IMG_ESTIMATE_MATCH_BITS = 24,
    /* In sixteenths of a bit: */
    IMG_ESTIMATE_LITERAL_LEAST = 8,
    IMG_ESTIMATE_DISTANCE = 2 * 16,
};

/* A window: some rows, and a section of each row. */
typedef struct ImgWindow {
    int32_t from, rows;
    uint32_t offset, bytes;
} ImgWindow;

/* Returns the window in the middle of section `number` of the `parts` equal sections of a strip.
 * The strip has `rows` rows from row `from` onwards. The window has at most `row_most` bytes of
 * each row and `most` bytes in all. */
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

/* Returns window 0 or 1 of a strip. */
IMG_HOST_DEVICE ImgWindow img_window(size_t row_bytes, size_t pixel, int32_t from, int32_t rows,
                                     int32_t number)
{
    return img_window_of(row_bytes, pixel, from, rows, number, IMG_WINDOWS, IMG_WINDOW_ROW_MOST,
                         IMG_WINDOW_MOST);
}

/* Returns the bits saved in a whole window. `saved` is scaled up if only the window's first
 * literals were looked up. */
IMG_HOST_DEVICE uint32_t img_estimate_of_all(uint32_t saved, uint32_t literals)
{
    return literals > IMG_ESTIMATE_LITERALS ? saved * literals / IMG_ESTIMATE_LITERALS : saved;
}

/* Returns the number of matches of a run; a deflate match has at most 258 bytes. */
IMG_HOST_DEVICE uint32_t img_matches_of_run(uint32_t length)
{
    return (length + 257) / 258;
}

/* Returns the bits that a match saves if its bytes cost `cost` sixteenths of a bit; 0 if none. */
IMG_HOST_DEVICE uint32_t img_estimate_saved(uint32_t cost)
{
    const uint32_t bits = cost / 16;
    return bits > IMG_ESTIMATE_MATCH_BITS ? bits - IMG_ESTIMATE_MATCH_BITS : 0;
}

/* Returns the cost of a symbol that occurs `count` times among `all` symbols; both counts may be
 * estimates. */
IMG_HOST_DEVICE uint32_t img_estimate_cost(uint32_t all, uint32_t count)
{
    const uint32_t of_all = img_logarithm(all), of_count = img_logarithm(count);
    return of_all > of_count ? of_all - of_count : 0;
}

/* Returns the table's slot of a position. `word` has the position's eight bytes, the first one in
 * the lowest bits. */
IMG_HOST_DEVICE uint32_t img_estimate_slot(uint64_t word)
{
    return (uint32_t)(word * 0x9E3779B185EBCA87U >> (64 - IMG_ESTIMATE_SLOT_BITS));
}

/* Returns true if all rows should use the Paeth filter. The arguments are the sizes by runs in
 * sixteenths of a bit, with the Paeth filter and with filters chosen by sums. Choosing filters
 * takes more time, so it must save at least 1/256. */
IMG_HOST_DEVICE int img_estimate_is_for_paeth(uint32_t by_paeth, uint32_t by_sums)
{
    return (uint64_t)by_sums * 256 > (uint64_t)by_paeth * 255;
}

/* Returns true if matches may make the strip smaller. They save `saved` bits in windows of `bytes`
 * bytes, which take `runs` sixteenths of a bit by runs. */
IMG_HOST_DEVICE int img_estimate_pays(uint32_t saved, uint32_t runs, uint32_t bytes)
{
    const uint64_t all = (uint64_t)bytes * 8 * 16, by_runs = runs, less = (uint64_t)saved * 16;
    return less * 64 >= by_runs || by_runs * 64 < all ||
           (by_runs * 12 < all && less * 1024 >= by_runs);
}

#endif
