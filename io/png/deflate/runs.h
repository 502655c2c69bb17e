/* Private: the inner loops for deflate with run-length encoding (deflate_runs.h), one set per
 * instruction set. A run is a sequence of at least IMG_RUN_LEAST bytes that equal the byte before
 * the sequence. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_RUNS_H
#define IMGTOOL_IO_PNG_DEFLATE_RUNS_H

#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/bits.h"
#include "io/png/deflate/huffman.h"

enum {
    /* Length of the shortest run in bytes. Shorter runs save nothing if the repeated byte is
     * frequent. */
    IMG_RUN_LEAST = 8,
    IMG_RUN_MATCH_LEAST = 3,
    IMG_RUN_MATCH_MOST = 258,
    /* Largest code length of a literal in bits. Four codes of this length and up to 7 earlier bits
     * fit into 64 bits. */
    IMG_RUN_CODE_MOST = 14,
};

/* A run: the `length` bytes from offset `start` onwards equal the byte before `start`. */
typedef struct ImgRun {
    uint32_t start, length;
} ImgRun;

/* A block of data, from offset `from` to `to` of `data`, and its runs. If `from` is not 0, the
 * first run may repeat the byte before the block. */
typedef struct ImgRunsBlock {
    const uint8_t *data;
    uint32_t from, to;
    ImgRun *runs; /* array with room for (to - from) / IMG_RUN_LEAST runs */
    size_t count; /* number of runs in the array `runs` */
} ImgRunsBlock;

typedef struct ImgRunsCodes {
    /* The code of each byte value, in the highest bits; the length of the code in the lowest
     * bits. */
    uint64_t literals[IMG_LITERALS];
    /* The bits of a match of each length at distance 1, from bit 8 upwards; the number of these
     * bits in the low byte. */
    uint32_t matches[IMG_RUN_MATCH_MOST + 1];
} ImgRunsCodes;

typedef struct ImgRunsLoops {
    void (*find)(ImgRunsBlock *block);
    /* Adds the number of occurrences of each literal to counts[IMG_LITERALS]. Counts only every
     * `step`-th section of the data, and multiplies the result by `step`. */
    void (*count)(const ImgRunsBlock *block, unsigned step, uint32_t *counts);
    /* Sets the count of each byte value to 1 if the value occurs in the block but its count is 0,
     * because `count` skipped some sections. Giving a code to all 256 values instead would enlarge
     * the output by one percent. */
    void (*complete)(const ImgRunsBlock *block, uint32_t *counts);
    /* Writes the literals and the matches of a block. */
    void (*put)(ImgBits *bits, const ImgRunsCodes *codes, const ImgRunsBlock *block);
} ImgRunsLoops;

/* Returns the length in bytes of the next match if `length` bytes of a run are left. After this
 * match either no bytes are left, or enough for another match. */
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

/* Returns the fastest set of inner loops that the processor supports. */
const ImgRunsLoops *img_runs_loops(void);

#endif
