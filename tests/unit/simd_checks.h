/* Checks of kernels/simd, compiled for each level of processors. */
#ifndef IMGTOOL_TESTS_UNIT_SIMD_CHECKS_H
#define IMGTOOL_TESTS_UNIT_SIMD_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIMD_INPUT = 256 }; /* four vectors of any level */

/* Each check compares a function with plain C, on SIMD_INPUT bytes at any address. */
typedef struct SimdCheck {
    const char *name;
    bool (*passes)(const uint8_t *input);
} SimdCheck;

/* In the last element of each list, `name` is NULL. */
extern const SimdCheck simd_checks_portable[], simd_checks_plain[], simd_checks_avx2[];
extern const SimdCheck simd_checks_avx512[], simd_checks_vbmi[];

#endif
