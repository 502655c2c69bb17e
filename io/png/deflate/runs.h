/* Private: the inner loops for deflate with literals and run lengths (RLE), one set per instruction
 * set. A run is a sequence of at least IMG_RUN_LEAST bytes that equal the byte before it. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_RUNS_H
#define IMGTOOL_IO_PNG_DEFLATE_RUNS_H

#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/bits.h"
#include "io/png/deflate/huffman.h"

enum {
    IMG_RUN_LEAST = 8, /* bytes; shorter runs gain nothing if the byte is frequent */
    IMG_RUN_MATCH_LEAST = 3,
    IMG_RUN_MATCH_MOST = 258,
    /* Largest code length of a literal in bits. Four codes fit into a word together with up to 7
     * earlier bits. */
    IMG_RUN_CODE_MOST = 14,
};

/* A run: the `length` bytes from offset `start` onwards equal the byte before `start`. */
typedef struct ImgRun {
    uint32_t start, length;
} ImgRun;

/* A block of data, with its runs. If `from` > 0 runs may repeat the byte before the block. */
typedef struct ImgRunsBlock {
    const uint8_t *data;
    uint32_t from, to;
    ImgRun *runs; /* array of at least (to - from) / IMG_RUN_LEAST runs */
    size_t count; /* number of runs */
} ImgRunsBlock;

typedef struct ImgRunsCodes {
    /* [byte]: code in the highest bits, its length in the lowest bits. */
    uint64_t literals[IMG_LITERALS];
    /* [length]: encoding of a match at distance 1: number of bits in the low byte, the bits above
     * it. */
    uint32_t matches[IMG_RUN_MATCH_MOST + 1];
} ImgRunsCodes;

typedef struct ImgRunsLoops {
    void (*find)(ImgRunsBlock *block);
    /* Adds the literals to counts[IMG_LITERALS]. Counts only every `step`-th piece of the literals,
     * but `step` times, to estimate the whole. */
    void (*count)(const ImgRunsBlock *block, unsigned step, uint32_t *counts);
    /* Sets the count of each byte value that occurs in the block but was not counted to 1. Giving
     * all 256 values a code instead would cost one percent of the size. */
    void (*complete)(const ImgRunsBlock *block, uint32_t *counts);
    /* Writes the literals and matches of a block. */
    void (*put)(ImgBits *bits, const ImgRunsCodes *codes, const ImgRunsBlock *block);
} ImgRunsLoops;

/* Returns the length of the next match within a run of `length` bytes. The bytes that remain are
 * never too few for another match. */
static inline uint32_t img_run_match(uint32_t length)
{
    if (length <= IMG_RUN_MATCH_MOST)
        return length;
    if (length >= IMG_RUN_MATCH_MOST + IMG_RUN_MATCH_LEAST)
        return IMG_RUN_MATCH_MOST;
    return length - IMG_RUN_MATCH_LEAST;
}

extern const ImgRunsLoops img_runs_portable;
extern const ImgRunsLoops img_runs_avx2;
extern const ImgRunsLoops img_runs_vbmi;

/* Returns the fastest set of loops that the processor can run. */
const ImgRunsLoops *img_runs_loops(void);

#endif
