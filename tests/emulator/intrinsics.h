/* What run_intrinsics leaves, 32 words each: one a lane. */
#ifndef IMGTOOL_TESTS_EMULATOR_INTRINSICS_H
#define IMGTOOL_TESTS_EMULATOR_INTRINSICS_H

#include <stdint.h>

enum Intrinsic {
    SHUFFLED,           /* three times the number of lane 5 */
    SHUFFLED_IN_EIGHTS, /* the number of lane 1 of each eight */
    SHUFFLED_UP,        /* of the lane below; lane 0 keeps its own */
    SHUFFLED_DOWN,      /* of the second lane above; the last two keep theirs */
    SHUFFLED_XOR,       /* of lane XOR 7 */
    BALLOT_OF_THIRDS,   /* a bit for every lane whose number 3 divides */
    ANY_AND_ALL,        /* any: yes; all: yes, and no */
    REDUCED,            /* sum, 1000 times the least, 10000 times the largest */
    PERMUTED,
    PERMUTED_HIGH, /* the fourth bit of a digit does nothing */
    FUNNELLED,
    DOT_PRODUCT,
    DOT_OF_HALVES,
    DOT_OF_HALVES_HIGH,
    DISTANCE,       /* of bytes, summed */
    LEAST_OF_THREE, /* in each half of a word */
    LARGEST_OF_THREE,
    SUM_DOWN,  /* bits of a float: half of 10 and the lane, rounded down */
    CUT_DOWN,  /* bits of 512 and three quarters of the lane, in 2^-14, cut off */
    SATURATED, /* bits of the lane less 1, from 0 to 1 */
    BITS,      /* set, 100 times leading zeros, 10000 times the first bit, of 64 a million times */
    REVERSED,  /* bits in the opposite order */
    ATOMIC_XORS, /* of three lanes a bit of their own and one that they share */
    ATOMICS,     /* sum, 1000 times the largest, 100000 times the least, and all bits */
    INTRINSICS,
};

/* `out`: 32 * INTRINSICS words of device memory. */
void run_intrinsics(uint32_t *out);

#endif
