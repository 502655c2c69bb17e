/* What the files of this program share: it checks the codec on the GPU against the CPU's. */
#ifndef IMGTOOL_TESTS_CHECKCODEC_ENCODE_CHECK_H
#define IMGTOOL_TESTS_CHECKCODEC_ENCODE_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/image.h"

/* What pictures look like: each brings out another part of the encoder. */
typedef enum Kind {
    NOISE,  /* does not shrink: stored blocks */
    SMOOTH, /* a photograph: literals */
    SPECKS, /* long runs, broken by single pixels */
    BANDS,  /* runs of every length */
    ONE,    /* one colour: runs as long as blocks */
    TEXT,   /* shrinks to little: matches */
    SPIKES, /* columns, broken by single pixels: Paeth's filter is better than sums tell */
    ECHO,   /* noise which repeats itself the more the further down */
    MIXED,  /* a photograph, and from the middle on text */
    COPIES, /* parts of itself from anywhere before, and noise between */
    KINDS,
} Kind;

extern const char *const KIND_NAMES[KINDS];

/* Makes the same picture every time; exits if there is no memory. */
ImgImage make_picture(ImgShape shape, Kind kind);

/* What came of the cases; of several shares only the cases of one are checked. */
typedef struct Tally {
    int passed, failed;
    int share, shares; /* 0 of 1: all */
    int seen;
} Tally;

/* A random number below a bound. */
static inline uint32_t pick(uint64_t *state, uint32_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % below;
}

/* Counts a case; is it of this share? */
static inline bool is_in_share(Tally *tally)
{
    return tally->seen++ % tally->shares == tally->share;
}

/* Each case beside what the CPU makes of it. `large` adds pictures with many blocks a strip. */
void check_encoder(bool large, Tally *tally);

/* Strips of more than 512 KB at levels 1 to 4, beside those that the CPU codec makes, or would try
 * LZ77 on. `large` adds pictures in the strips that the codec makes of them. */
void check_strips(bool large, Tally *tally);

/* As many cases as wanted of one to three such strips, as the seed brings: of any format, kind and
 * level, from rows of one pixel to rows longer than a strip may be. */
void check_random_strips(int cases, uint64_t seed, Tally *tally);

/* Matches by themselves, in units of up to 20,000 bytes, and some larger ones, beside those of the
 * CPU. `large` adds many units at once, of up to 300 KB. */
void check_matches(bool large, Tally *tally);

/* As many cases of pictures up to that wide and high as the seed brings. */
void check_random(int cases, uint64_t seed, int32_t most_side, Tally *tally);

/* Times encoding of a file's pixels as a level does it. */
int time_encoder(const char *path, int rounds, int level);

#endif
