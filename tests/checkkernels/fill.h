/* Contents that make wrong kernels visible, and the random numbers they are made of. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_FILL_H
#define IMGTOOL_TESTS_CHECKKERNELS_FILL_H

#include "kernels/core/image.h"

/* xorshift64*: the same numbers on every machine for a seed (Vigna 2016). Never 0. */
typedef struct Random {
    uint64_t state;
} Random;

uint64_t random_next(Random *random);

/* Where the numbers of `stream` start; those of another stream or seed have nothing to do with
 * them. */
Random random_start(uint64_t seed, uint64_t stream);

/* 0 .. bound - 1 */
uint32_t random_below(Random *random, uint32_t bound);

typedef enum Fill {
    FILL_RANDOM,
    FILL_PLACE,  /* every pixel encodes where it is: a pixel from elsewhere is always seen */
    FILL_BRIGHT, /* all bits set, the first and last pixel of each row 0 */
    FILL_COUNT,
} Fill;

const char *fill_name(Fill fill);
void fill_view(const ImgView *view, Fill fill, Random *random);

#endif
