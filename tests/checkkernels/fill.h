/* Contents that reveal wrong kernels, and the random numbers for them. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_FILL_H
#define IMGTOOL_TESTS_CHECKKERNELS_FILL_H

#include "kernels/core/image.h"

/* xorshift64*: equal seeds give equal numbers on every machine (Vigna 2016). The state is never
 * 0. */
typedef struct Random {
    uint64_t state;
} Random;

uint64_t random_next(Random *random);

/* Returns the start of a sequence of random numbers. Sequences with different `stream` or `seed`
 * are independent. */
Random random_start(uint64_t seed, uint64_t stream);

/* Returns a number from 0 to bound - 1. */
uint32_t random_below(Random *random, uint32_t bound);

typedef enum Fill {
    FILL_RANDOM,
    /* every pixel encodes its position, so a pixel copied from a wrong position always shows */
    FILL_PLACE,
    FILL_BRIGHT, /* all bits set, except for the first and last pixel of each row */
    FILL_COUNT,
} Fill;

const char *fill_name(Fill fill);
void fill_view(const ImgView *view, Fill fill, Random *random);

#endif
