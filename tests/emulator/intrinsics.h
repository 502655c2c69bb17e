/* The results of run_intrinsics: 32 words for each intrinsic, one per lane. In the comments below,
 * "number" means the number of a lane, 0 to 31. */
#ifndef IMGTOOL_TESTS_EMULATOR_INTRINSICS_H
#define IMGTOOL_TESTS_EMULATOR_INTRINSICS_H

#include <stdint.h>

enum Intrinsic {
    SHUFFLED,           /* three times the number of lane 5, in every lane */
    SHUFFLED_IN_EIGHTS, /* number of lane 1 in the lane's group of eight lanes */
    SHUFFLED_UP,        /* number of the lane below; lane 0 gets its own */
    /* number of lane + 2; each of the last two lanes gets its own */
    SHUFFLED_DOWN,
    SHUFFLED_XOR,     /* number of the lane whose number is this one XOR 7 */
    BALLOT_OF_THIRDS, /* one bit for every lane whose number is a multiple of 3 */
    /* Bit 0: true in any lane. Bits 1 and 2: true in all lanes; bit 2 has one lane with false. */
    ANY_AND_ALL,
    REDUCED, /* sum of the numbers, plus 1000 times a minimum, plus 10000 times the maximum */
    PERMUTED,
    PERMUTED_HIGH, /* bit 3 of a selector must have no effect */
    FUNNELLED,
    DOT_PRODUCT,
    DOT_OF_HALVES,
    DOT_OF_HALVES_HIGH,
    DISTANCE,       /* sum of the absolute differences between the bytes of two words */
    LEAST_OF_THREE, /* minimum of three values, in each half of a word */
    LARGEST_OF_THREE,
    SUM_DOWN,  /* float bits of 2^24 + 10 + the number, rounded down */
    CUT_DOWN,  /* float bits of 512 + 0.75 * 2^-14 * the number, truncated */
    SATURATED, /* float bits of the number - 1, clamped to 0..1 */
    /* Number of set bits, plus 100 times the leading zeros, plus 10000 times the position of the
     * first set bit, plus a million times the same of 64 bits. */
    BITS,
    REVERSED,    /* bits of a word in reverse order */
    ATOMIC_XORS, /* three lanes toggle a bit of their own and a common bit */
    ATOMICS, /* sum, plus 1000 times a maximum, plus 100000 times a minimum, plus 10^9 if an OR has
                all bits */
    INTRINSICS,
};

/* Runs the intrinsics. `out` is device memory for 32 * INTRINSICS words. */
void run_intrinsics(uint32_t *out);

#endif
