/* Vectors of one lane with NEON, for the inner loops of turns. They have the functions of
 * simd_portable.h, and NEON's shuffle of arbitrary bytes. So pixels of 3 and 6 bytes, too, are
 * turned and mirrored in registers. */
#ifndef IMGTOOL_KERNELS_TURN_SIMD_NEON_H
#define IMGTOOL_KERNELS_TURN_SIMD_NEON_H

#include <arm_neon.h>

#define HAVE_BYTE_SHUFFLE 1
#include "kernels/turn/simd_portable.h"

/* Returns a vector whose byte i is byte order[i] of `v`, or zero if order[i] is 255. */
static inline Vector shuffle_bytes(Vector v, const uint8_t order[16])
{
    return (Vector)vqtbl1q_u8((uint8x16_t)v, vld1q_u8(order));
}

/* Packs four vectors, which have 12 bytes in the low end of every lane, to three full vectors. */
static inline void pack_twelves(const Vector v[4], Vector packed[3])
{
    Vector32 a = (Vector32)v[0], b = (Vector32)v[1], c = (Vector32)v[2], d = (Vector32)v[3];
    packed[0] = (Vector)__builtin_shufflevector(a, b, 0, 1, 2, 4);
    packed[1] = (Vector)__builtin_shufflevector(b, c, 1, 2, 4, 5);
    packed[2] = (Vector)__builtin_shufflevector(c, d, 2, 4, 5, 6);
}

#endif
