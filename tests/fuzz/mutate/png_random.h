/* Pseudo-random numbers; `state` is the seed. */
#ifndef IMGTOOL_TESTS_FUZZ_MUTATE_PNG_RANDOM_H
#define IMGTOOL_TESTS_FUZZ_MUTATE_PNG_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Random {
    uint64_t state;
} Random;

/* Returns a number from 0 to below - 1; `below` is at least 1. */
static inline uint32_t random_below(Random *random, uint32_t below)
{
    random->state = random->state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(random->state >> 33) % below;
}

/* Returns true with a probability of 1 / count. */
static inline bool random_one_in(Random *random, uint32_t count)
{
    return random_below(random, count) == 0;
}

#endif
