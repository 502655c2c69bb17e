/* Tests of kernels/simd: every function against plain C, at every level that this processor has, on
 * random bytes, on bytes at the ends of ranges, and at odd addresses. */
#include <criterion/criterion.h>

#include "kernels/core/parallel/cpu.h"
#include "tests/unit/simd_checks.h"

enum { ROUNDS = 2000 };

static uint8_t random_byte(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint8_t)(*state >> 56);
}

/* Fills the input with bytes of which a part, `edges` of 256, are the ends of the ranges of
 * numbers: 0, 1, 127, 128, 254 and 255. */
static void fill(uint8_t *input, uint64_t *state, int edges)
{
    static const uint8_t ends[] = {0, 0, 1, 127, 128, 254, 255, 255};
    for (int i = 0; i < SIMD_INPUT; i++)
        input[i] = random_byte(state) < edges ? ends[random_byte(state) % 8] : random_byte(state);
}

static void expect_all(const SimdCheck *checks, const char *level)
{
    static const int edges[] = {0, 32, 128, 256};
    uint8_t bytes[SIMD_INPUT + 1];
    uint64_t state = 57;
    for (int round = 0; round < ROUNDS; round++) {
        uint8_t *input = bytes + round % 2;
        fill(input, &state, edges[round % 4]);
        for (const SimdCheck *check = checks; check->name != NULL; check++)
            cr_assert(check->passes(input), "%s of %s differs from plain C in round %d",
                      check->name, level, round);
    }
}

Test(simd, vectors_in_plain_c)
{
    expect_all(simd_checks_plain, "portable.h");
}

Test(simd, vectors_of_the_baseline)
{
    expect_all(simd_checks_portable, "the baseline");
}

#ifdef IMGTOOL_X86
Test(simd, vectors_of_newer_processors)
{
    if (img_cpu_level() >= IMG_CPU_AVX2)
        expect_all(simd_checks_avx2, "AVX2");
    if (img_cpu_level() >= IMG_CPU_AVX512)
        expect_all(simd_checks_avx512, "AVX-512");
    if (img_cpu_level() >= IMG_CPU_AVX512 && __builtin_cpu_supports("avx512vbmi"))
        expect_all(simd_checks_vbmi, "AVX-512 with VBMI");
}
#endif
