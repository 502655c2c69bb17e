/* The results of run_intrinsics, 32 words each, one per lane. */
#ifndef IMGTOOL_TESTS_EMULATOR_INTRINSICS_H
#define IMGTOOL_TESTS_EMULATOR_INTRINSICS_H

#include <stdint.h>

enum Intrinsic {
    SHUFFLED,           /* three times the number of lane 5 */
    SHUFFLED_IN_EIGHTS, /* the number of lane 1 in each group of eight */
    SHUFFLED_UP,        /* each lane gets the number of the lane below; lane 0 keeps its own */
    /* each lane gets the value of lane + 2; the last two lanes keep their own */
    SHUFFLED_DOWN,
    SHUFFLED_XOR,     /* each lane gets the value of lane XOR 7 */
    BALLOT_OF_THIRDS, /* one bit for every lane whose number is divisible by 3 */
    /* whether any lane is true (true), and whether all are (true in one case, false in another) */
    ANY_AND_ALL,
    REDUCED, /* sum of a warp, plus 1000 times the minimum and 10000 times the maximum */
    PERMUTED,
    PERMUTED_HIGH, /* the fourth bit of a selector has no effect */
    FUNNELLED,
    DOT_PRODUCT,
    DOT_OF_HALVES,
    DOT_OF_HALVES_HIGH,
    DISTANCE,       /* sum of the absolute differences of the bytes of two words */
    LEAST_OF_THREE, /* minimum of three values in each half of a word */
    LARGEST_OF_THREE,
    SUM_DOWN,  /* float bits of 10 / 2 plus the lane, rounded down */
    CUT_DOWN,  /* float bits of 512 plus three quarters of the lane in 2^-14, truncated */
    SATURATED, /* float bits of the lane minus 1, clamped to 0..1 */
    /* number of bits set, plus 100 times the leading zeros, 10000 times the first bit set, and a
     * million times the number of bits set in 64 bits */
    BITS,
    REVERSED,    /* bits in reverse order */
    ATOMIC_XORS, /* from three lanes, one bit of their own and one that they share */
    ATOMICS,     /* sum, 1000 times the maximum, 100000 times the minimum, and all bits */
    INTRINSICS,
};

/* Runs the intrinsics. `out` has 32 * INTRINSICS words of device memory. */
void run_intrinsics(uint32_t *out);

#endif
