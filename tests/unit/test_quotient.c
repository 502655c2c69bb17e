/* Tests of quotients by floating point (kernels/core/fixed/quotient.h). They are compared with
 * integer division around every multiple of the tried divisors, where rounding could make them
 * wrong. */
#include <criterion/criterion.h>

#include "kernels/core/fixed/quotient.h"

enum { DIVISORS = 16 };

static const uint32_t divisors[DIVISORS] = {1,   2,   3,    7,     127,   128,   254,     255,
                                            256, 257, 4095, 32767, 65025, 65535, 8388607, 16777215};

static void check_24(uint32_t a, uint32_t b)
{
    cr_assert_eq(img_quotient_24(a, b), a / b, "%u / %u", a, b);
}

static void check_32(uint32_t a, uint32_t b)
{
    const uint32_t exact = a / b < 65535 ? a / b : 65535;
    cr_assert_eq(img_quotient_32(a, b, 65535), exact, "%u / %u", a, b);
    cr_assert_eq(img_quotient_53(a, b, 65535), exact, "%u / %u", a, b);
}

Test(quotient, quotients_of_24_bits_are_exact)
{
    for (int i = 0; i < DIVISORS; i++)
        for (uint32_t quotient = 0; quotient <= 65536; quotient++) {
            const uint64_t multiple = (uint64_t)quotient * divisors[i];
            if (multiple > 16777215)
                break;
            check_24((uint32_t)multiple, divisors[i]);
            check_24((uint32_t)multiple + 1, divisors[i]);
            if (multiple > 0)
                check_24((uint32_t)multiple - 1, divisors[i]);
        }
    check_24(16777216, 16777216);
    check_24(16777215, 16777216);
}

/* Pixels with alpha need dividends up to 65535 * 65535 + 32767. */
Test(quotient, quotients_of_32_bits_are_exact_and_truncated)
{
    for (int i = 0; i < DIVISORS; i++)
        for (uint32_t quotient = 0; quotient <= 65537; quotient++) {
            const uint64_t multiple = (uint64_t)quotient * divisors[i];
            if (multiple >= UINT32_MAX)
                break;
            check_32((uint32_t)multiple, divisors[i]);
            check_32((uint32_t)multiple + 1, divisors[i]);
            if (multiple > 0)
                check_32((uint32_t)multiple - 1, divisors[i]);
        }
    check_32(UINT32_MAX, 1);
    check_32(UINT32_MAX, UINT32_MAX);
    check_32(UINT32_MAX - 1, UINT32_MAX);
    check_32(65535u * 65535u + 32767u, 65535);
}

Test(quotient, quotients_of_53_bits_are_exact)
{
    const int64_t divisor = (INT64_C(1) << 34) - 1;
    for (int64_t quotient = 1; quotient <= 65535; quotient += 17) {
        cr_assert_eq(img_quotient_53(quotient * divisor, divisor, 65535), (uint32_t)quotient);
        cr_assert_eq(img_quotient_53(quotient * divisor - 1, divisor, 65535),
                     (uint32_t)quotient - 1);
    }
    cr_assert_eq(img_quotient_53(INT64_C(1) << 52, 1, 65535), 65535u);
}
