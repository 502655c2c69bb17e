/* Private: what suits a strip of values, as an estimate tells: with which filters runs make it
 * smaller, and whether matches may make it smaller still. The same whole numbers on a CPU and on a
 * GPU, in whatever order they are worked out.
 *
 * 1. A strip is seen through two windows, in the middle of its halves: some rows of it, of each at
 *    most 8191 bytes in the middle, filtered as if there was nothing beside them; with the filters'
 *    types at most 16 KB.
 * 2. By runs: runs are eight and more bytes like the one before. A symbol costs the logarithm of
 *    all less that of its own count, a literal at least half a bit; symbols are the literals
 *    outside runs, and one for all matches, of which a run takes one for each 258 bytes. A match
 *    costs two bits more. Literals are counted in every second piece of 512 bytes, twice each.
 * 3. By matches: every fourth position outside runs is looked up that has eight bytes from it on.
 *    These repeat themselves a row back, if they are the same there; else where the table leads
 *    that has a slot for a hash of them, if they are the same there. The table holds the last
 *    position outside runs before the 512 that the position belongs to; 0 at first. A match has as
 *    many equal bytes as there are, at most 64. It saves what its literals cost, and a match of
 *    each run that begins in it, in whole bits, less 24. The first that saves anything is taken,
 *    and then the first behind it. Where more than 2048 bytes are outside runs, the last position
 *    looked up is among the 32 in which the 2048th lies, and what is saved counts in proportion.
 * 4. Matches may pay where they save a 64th of the bits by runs. What runs shrink to a twelfth
 *    takes less time: there a 1024th is enough. Of what they shrink to a 64th a window shows too
 *    little. Rows have Paeth's filter for that, at all levels. */
#ifndef IMGTOOL_IO_PNG_ENCODE_ESTIMATE_RULE_H
#define IMGTOOL_IO_PNG_ENCODE_ESTIMATE_RULE_H

#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/logarithm.h"
#include "kernels/core/cuda/host_device.h"

enum {
    IMG_WINDOWS = 2,
    IMG_WINDOW_MOST = 1 << 14,                     /* bytes */
    IMG_WINDOW_ROW_MOST = IMG_WINDOW_MOST / 2 - 1, /* so that there are two rows, with types */
    IMG_ESTIMATE_WORD = 8,                         /* bytes that repeat themselves at least */
    IMG_ESTIMATE_LITERALS = 1 << 11,
    IMG_ESTIMATE_GROUP = 32,
    IMG_ESTIMATE_SLOT_BITS = 12,
    IMG_ESTIMATE_SLOTS = 1 << IMG_ESTIMATE_SLOT_BITS,
    IMG_ESTIMATE_STEP = 512,
    IMG_ESTIMATE_EVERY = 4,   /* position that is looked up */
    IMG_ESTIMATE_COUNTED = 2, /* of so many pieces one is counted */
    IMG_ESTIMATE_LENGTH_MOST = 64,
    IMG_ESTIMATE_MATCH_BITS = 24,
    /* Sixteenths of a bit. */
    IMG_ESTIMATE_LITERAL_LEAST = 8,
    IMG_ESTIMATE_DISTANCE = 2 * 16,
};

/* Rows, and part of each. */
typedef struct ImgWindow {
    int32_t from, rows;
    uint32_t offset, bytes;
} ImgWindow;

/* In the middle of part `number` of `parts` of a strip of `rows` rows, `from` the first: of each at
 * most `row_most` bytes, and `most` bytes in all. */
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

/* Window 0 or 1 of a strip. */
IMG_HOST_DEVICE ImgWindow img_window(size_t row_bytes, size_t pixel, int32_t from, int32_t rows,
                                     int32_t number)
{
    return img_window_of(row_bytes, pixel, from, rows, number, IMG_WINDOWS, IMG_WINDOW_ROW_MOST,
                         IMG_WINDOW_MOST);
}

/* The bits saved in a whole window, when only the first literals of it were looked up. */
IMG_HOST_DEVICE uint32_t img_estimate_of_all(uint32_t saved, uint32_t literals)
{
    return literals > IMG_ESTIMATE_LITERALS ? saved * literals / IMG_ESTIMATE_LITERALS : saved;
}

/* Deflate's matches have at most 258 bytes. */
IMG_HOST_DEVICE uint32_t img_matches_of_run(uint32_t length)
{
    return (length + 257) / 258;
}

/* The bits that a match saves whose bytes cost so many sixteenths. */
IMG_HOST_DEVICE uint32_t img_estimate_saved(uint32_t cost)
{
    const uint32_t bits = cost / 16;
    return bits > IMG_ESTIMATE_MATCH_BITS ? bits - IMG_ESTIMATE_MATCH_BITS : 0;
}

/* The cost of one of `count` among `all`; counts may come from a part of them. */
IMG_HOST_DEVICE uint32_t img_estimate_cost(uint32_t all, uint32_t count)
{
    const uint32_t of_all = img_logarithm(all), of_count = img_logarithm(count);
    return of_all > of_count ? of_all - of_count : 0;
}

/* The slot of a position whose bytes are `word`, the first in the low eight bits. */
IMG_HOST_DEVICE uint32_t img_estimate_slot(uint64_t word)
{
    return (uint32_t)(word * 0x9E3779B185EBCA87U >> (64 - IMG_ESTIMATE_SLOT_BITS));
}

/* Whether rows are to have Paeth's filter alone, with which runs take so many sixteenths of a bit:
 * the choice by sums takes more time, and is to save a 256th. */
IMG_HOST_DEVICE int img_estimate_is_for_paeth(uint32_t by_paeth, uint32_t by_sums)
{
    return (uint64_t)by_sums * 256 > (uint64_t)by_paeth * 255;
}

/* Whether matches may pay: they save `saved` bits in windows of `bytes` bytes, which take `runs`
 * sixteenths of a bit by runs. */
IMG_HOST_DEVICE int img_estimate_pays(uint32_t saved, uint32_t runs, uint32_t bytes)
{
    const uint64_t all = (uint64_t)bytes * 8 * 16, by_runs = runs, less = (uint64_t)saved * 16;
    return less * 64 >= by_runs || by_runs * 64 < all ||
           (by_runs * 12 < all && less * 1024 >= by_runs);
}

#endif
