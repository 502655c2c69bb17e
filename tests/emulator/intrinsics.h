/* The results of run_intrinsics: 32 words for each intrinsic, one per lane. */
#ifndef IMGTOOL_TESTS_EMULATOR_INTRINSICS_H
#define IMGTOOL_TESTS_EMULATOR_INTRINSICS_H

#include <stdint.h>

enum Intrinsic {
    /* the value of lane 5 in every lane, where each lane's value is three times its number: 15 */
    SHUFFLED,
    /* in every lane, the number of the second lane of its group of eight lanes */
    SHUFFLED_IN_EIGHTS,
    /* lane number of the lane below; lane 0 gets its own number */
    SHUFFLED_UP,
    /* lane number plus 2; each of the last two lanes gets its own number */
    SHUFFLED_DOWN,
    /* lane number XOR 7 */
    SHUFFLED_XOR,
    /* one bit for every lane whose number is a multiple of 3 */
    BALLOT_OF_THIRDS,
    /* Bit 0: "any" of a condition that holds in one lane. Bit 1: "all" of a condition that holds in
     * every lane. Bit 2: "all" of a condition that fails in one lane. */
    ANY_AND_ALL,
    /* sum of the lane numbers, plus 1000 times the minimum of lane number + 2, plus 10000 times the
     * maximum of the lane numbers */
    REDUCED,
    PERMUTED,
    /* bytes chosen by a selector whose bit 3 is set, which must have no effect */
    PERMUTED_HIGH,
    FUNNELLED,
    DOT_PRODUCT,
    DOT_OF_HALVES,
    DOT_OF_HALVES_HIGH,
    /* sum of the absolute differences between the bytes of two words */
    DISTANCE,
    /* minimum of three values, in each half of a word */
    LEAST_OF_THREE,
    LARGEST_OF_THREE,
    /* bits of 2^24 + 10 + lane number, rounded down to a float */
    SUM_DOWN,
    /* bits of 512 + 0.75 * 2^-14 * lane number, rounded toward zero to a float */
    CUT_DOWN,
    /* bits of the float lane number - 1, clamped to 0..1 */
    SATURATED,
    /* number of set bits, plus 100 times the number of leading zeros, plus 10000 times the position
     * of the first set bit, plus a million times the position of the first set bit in 64 bits */
    BITS,
    /* bits of a word in reverse order */
    REVERSED,
    /* word in which each of three lanes toggles a bit of its own and one common bit */
    ATOMIC_XORS,
    /* sum of the lane numbers, plus 1000 times their maximum, plus 100000 times the minimum of lane
     * number + 7, plus 10^9 if the lanes have set all 32 bits of a word */
    ATOMICS,
    INTRINSICS,
};

/* Runs the intrinsics. `out` is device memory for 32 * INTRINSICS words. */
void run_intrinsics(uint32_t *out);

#endif
