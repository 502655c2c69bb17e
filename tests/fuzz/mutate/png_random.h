/* Choices of a mutator: the same for the same seed. */
#ifndef IMGTOOL_TESTS_FUZZ_MUTATE_PNG_RANDOM_H
#define IMGTOOL_TESTS_FUZZ_MUTATE_PNG_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Random {
    uint64_t state;
} Random;

/* 0 .. below - 1, with below at least 1. */
static inline uint32_t random_below(Random *random, uint32_t below)
{
    random->state = random->state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(random->state >> 33) % below;
}

static inline bool random_one_in(Random *random, uint32_t count)
{
    return random_below(random, count) == 0;
}

#endif
