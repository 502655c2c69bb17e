/* Private: the inner loops of RLE (literals and run lengths), one set per instruction level. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_RUNS_H
#define IMGTOOL_IO_PNG_DEFLATE_RUNS_H

#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/bits.h"
#include "io/png/deflate/huffman.h"

enum {
    IMG_RUN_LEAST = 8, /* bytes of a run; shorter ones are no gain where the byte is frequent */
    IMG_RUN_MATCH_LEAST = 3,
    IMG_RUN_MATCH_MOST = 258,
    /* Codes of four literals fit a word that has room for up to 7 bits before them. */
    IMG_RUN_CODE_MOST = 14,
};

/* `length` bytes from `start` on, all of them like the byte before. */
typedef struct ImgRun {
    uint32_t start, length;
} ImgRun;

/* A block of data. With `from` > 0 the byte before it is known to the reader as well. */
typedef struct ImgRunsBlock {
    const uint8_t *data;
    uint32_t from, to;
    ImgRun *runs; /* room for (to - from) / IMG_RUN_LEAST */
    size_t count; /* of runs */
} ImgRunsBlock;

typedef struct ImgRunsCodes {
    uint64_t literals[IMG_LITERALS]; /* the code in the highest bits, its length in the lowest */
    uint32_t matches[IMG_RUN_MATCH_MOST + 1]; /* by length, at distance 1: their number of bits in
                                               * the low byte, the bits above */
} ImgRunsCodes;

typedef struct ImgRunsLoops {
    void (*find)(ImgRunsBlock *block);
    /* Adds the literals to counts[IMG_LITERALS], `step` for each of every step-th piece: enough to
     * know the rest by. */
    void (*count)(const ImgRunsBlock *block, unsigned step, uint32_t *counts);
    /* Sets the counts of bytes to 1 that are in the block and have not been counted. Codes for
     * all that might be there would cost a percent of the size. */
    void (*complete)(const ImgRunsBlock *block, uint32_t *counts);
    /* The literals and matches of a block. */
    void (*put)(ImgBits *bits, const ImgRunsCodes *codes, const ImgRunsBlock *block);
} ImgRunsLoops;

/* How much of a run the next match takes, so that nothing is left that is too short for one. */
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

/* The fastest set that the processor can run. */
const ImgRunsLoops *img_runs_loops(void);

#endif
