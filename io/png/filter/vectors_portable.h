/* Vectors of bytes for the row filters, with the vector extensions of the compiler. A vector has
 * one lane of 16 bytes, in SSE2, NEON, or plain words. A lane is divided into slots, and a slot
 * holds one pixel. This file specifies the functions of all vectors_*.h. */
#ifndef IMGTOOL_IO_PNG_FILTER_VECTORS_PORTABLE_H
#define IMGTOOL_IO_PNG_FILTER_VECTORS_PORTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { LANE = 16, LANES = 1 };

typedef uint8_t Vector __attribute__((vector_size(16)));
typedef int8_t VectorSigned __attribute__((vector_size(16)));
typedef uint16_t Vector16 __attribute__((vector_size(16)));
typedef uint32_t Vector32 __attribute__((vector_size(16)));
typedef uint64_t Vector64 __attribute__((vector_size(16)));

static inline Vector load_vector(const uint8_t *p)
{
    Vector v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void store_vector(uint8_t *p, Vector v)
{
    memcpy(p, &v, sizeof v);
}

/* Loads each of the LANES lanes from its own address. */
static inline Vector load_lanes(const uint8_t *const p[LANES])
{
    return load_vector(p[0]);
}

/* Stores the first `bytes` bytes (12 or 16) of lane `lane`, and no bytes after them. */
static inline void store_lane(uint8_t *p, Vector v, int lane, int bytes)
{
    (void)lane;
    if (bytes == LANE)
        store_vector(p, v);
    else
        memcpy(p, &v, 12);
}

/* Loads the first lane. The other lanes are undefined. */
static inline Vector load_lane(const uint8_t *p)
{
    return load_vector(p);
}

/* Returns the first lane of `first`, followed by all lanes of `v` except its last lane. */
static inline Vector enter_lane(Vector first, Vector v)
{
    (void)v;
    return first;
}

static inline Vector all_bytes(uint8_t value)
{
    return (Vector){0} + value;
}

static inline bool is_zero(Vector v)
{
    const Vector64 words = (Vector64)v;
    return (words[0] | words[1]) == 0;
}

static inline Vector add(Vector a, Vector b)
{
    return a + b;
}

static inline Vector subtract(Vector a, Vector b)
{
    return a - b;
}

#ifdef __SSE2__ /* Compilers do not generate these instructions from vector extensions. */
static inline Vector smaller(Vector a, Vector b)
{
    return (Vector)_mm_min_epu8((__m128i)a, (__m128i)b);
}

static inline Vector larger(Vector a, Vector b)
{
    return (Vector)_mm_max_epu8((__m128i)a, (__m128i)b);
}

/* Returns a - b for each byte, but not less than 0. */
static inline Vector excess(Vector a, Vector b)
{
    return (Vector)_mm_subs_epu8((__m128i)a, (__m128i)b);
}

/* Returns (a + b + 1) / 2 for each byte. */
static inline Vector mean_up(Vector a, Vector b)
{
    return (Vector)_mm_avg_epu8((__m128i)a, (__m128i)b);
}
#else
static inline Vector smaller(Vector a, Vector b)
{
    Vector is_less = (Vector)(a < b);
    return (a & is_less) | (b & ~is_less);
}

static inline Vector larger(Vector a, Vector b)
{
    Vector is_less = (Vector)(a < b);
    return (b & is_less) | (a & ~is_less);
}

/* Returns a - b for each byte, but not less than 0. */
static inline Vector excess(Vector a, Vector b)
{
    return (a - b) & (Vector)(a > b);
}

/* Returns (a + b + 1) / 2 for each byte. */
static inline Vector mean_up(Vector a, Vector b)
{
    return (a | b) - ((a ^ b) >> 1);
}
#endif

/* Returns all ones in each byte where 2 a > b, and zeros elsewhere. */
static inline Vector exceeds_half(Vector a, Vector b)
{
    return (Vector)(a > b >> 1);
}

/* Adds the absolute values of the bytes of `v`, which count as signed, to `sums`. sum_of returns
 * the total of `sums`. */
static inline Vector add_absolute(Vector sums, Vector v)
{
    Vector absolute = smaller(v, -v);
#ifdef __SSE2__
    Vector64 eights = (Vector64)_mm_sad_epu8((__m128i)absolute, _mm_setzero_si128());
#else
    Vector16 pairs = ((Vector16)absolute & 255) + ((Vector16)absolute >> 8);
    Vector32 fours = ((Vector32)pairs & 65535) + ((Vector32)pairs >> 16);
    Vector64 eights = ((Vector64)fours & UINT32_MAX) + ((Vector64)fours >> 32);
#endif
    return (Vector)((Vector64)sums + eights);
}

static inline uint64_t sum_of(Vector sums)
{
    Vector64 v = (Vector64)sums;
    return v[0] + v[1];
}

#ifdef __SSE2__ /* SSE2 has no byte shuffle, but can shift a whole lane. */
#define MOVE_UP(v, bytes)   (Vector) _mm_slli_si128((__m128i)(v), bytes)
#define MOVE_DOWN(v, bytes) (Vector) _mm_srli_si128((__m128i)(v), bytes)
#endif

/* Moves the slots of each lane up by one. The top slot of the same lane of `top` becomes the lowest
 * slot. A slot has `slot` bytes. */
static inline Vector shift_in(Vector v, Vector top, int slot)
{
    switch (slot) {
#ifdef __SSE2__
    case 1:
        return MOVE_UP(v, 1) | MOVE_DOWN(top, 15);
    case 2:
        return MOVE_UP(v, 2) | MOVE_DOWN(top, 14);
#else
    case 1:
        return __builtin_shufflevector(top, v, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
                                       28, 29, 30);
    case 2:
        return (Vector)__builtin_shufflevector((Vector16)top, (Vector16)v, 7, 8, 9, 10, 11, 12, 13,
                                               14);
#endif
    case 4:
        return (Vector)__builtin_shufflevector((Vector32)top, (Vector32)v, 3, 4, 5, 6);
    default:
        return (Vector)__builtin_shufflevector((Vector64)top, (Vector64)v, 1, 2);
    }
}

/* Reverses the order of the slots within each lane. A slot has `slot` bytes. */
static inline Vector reversed(Vector v, int slot)
{
    switch (slot) {
    case 1:
        return __builtin_shufflevector(v, v, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    case 2:
        return (Vector)__builtin_shufflevector((Vector16)v, (Vector16)v, 7, 6, 5, 4, 3, 2, 1, 0);
    case 4:
        return (Vector)__builtin_shufflevector((Vector32)v, (Vector32)v, 3, 2, 1, 0);
    default:
        return (Vector)__builtin_shufflevector((Vector64)v, (Vector64)v, 1, 0);
    }
}

/* Interleaves the slots of `a` and `b`. zip_low uses the low half of each lane, zip_high the high
 * half. */
static inline Vector zip_low(Vector a, Vector b, int slot)
{
    switch (slot) {
    case 1:
        return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7,
                                       23);
    case 2:
        return (Vector)__builtin_shufflevector((Vector16)a, (Vector16)b, 0, 8, 1, 9, 2, 10, 3, 11);
    case 4:
        return (Vector)__builtin_shufflevector((Vector32)a, (Vector32)b, 0, 4, 1, 5);
    default:
        return (Vector)__builtin_shufflevector((Vector64)a, (Vector64)b, 0, 2);
    }
}

static inline Vector zip_high(Vector a, Vector b, int slot)
{
    switch (slot) {
    case 1:
        return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30,
                                       15, 31);
    case 2:
        return (Vector)__builtin_shufflevector((Vector16)a, (Vector16)b, 4, 12, 5, 13, 6, 14, 7,
                                               15);
    case 4:
        return (Vector)__builtin_shufflevector((Vector32)a, (Vector32)b, 2, 6, 3, 7);
    default:
        return (Vector)__builtin_shufflevector((Vector64)a, (Vector64)b, 1, 3);
    }
}

#ifdef __SSE2__
/* Places each pixel from the first bytes of a lane in its own slot. Pixels of 3 bytes use slots of
 * 4 bytes, and pixels of 6 bytes use slots of 8. Other pixels fill their slots. Unused bytes of a
 * slot become zeros. */
static inline Vector widen(Vector v, int pixel)
{
    if (pixel == 3) {
        const Vector32 first = {0xFFFFFF}, second = {0, 0xFFFFFF};
        const Vector32 third = {0, 0, 0xFFFFFF}, fourth = {0, 0, 0, 0xFFFFFF};
        return (v & (Vector)first) | (MOVE_UP(v, 1) & (Vector)second) |
               (MOVE_UP(v, 2) & (Vector)third) | (MOVE_UP(v, 3) & (Vector)fourth);
    }
    if (pixel == 6) {
        const Vector64 first = {0xFFFFFFFFFFFF}, second = {0, 0xFFFFFFFFFFFF};
        return (v & (Vector)first) | (MOVE_UP(v, 2) & (Vector)second);
    }
    return v;
}

/* Reverses widen. The last bytes of the lane are undefined. */
static inline Vector narrow(Vector v, int pixel)
{
    if (pixel == 3) {
        const Vector32 first = {0xFFFFFF}, second = {0, 0xFFFFFF};
        const Vector32 third = {0, 0, 0xFFFFFF}, fourth = {0, 0, 0, 0xFFFFFF};
        return (v & (Vector)first) | MOVE_DOWN(v & (Vector)second, 1) |
               MOVE_DOWN(v & (Vector)third, 2) | MOVE_DOWN(v & (Vector)fourth, 3);
    }
    if (pixel == 6) {
        const Vector64 first = {0xFFFFFFFFFFFF}, second = {0, 0xFFFFFFFFFFFF};
        return (v & (Vector)first) | MOVE_DOWN(v & (Vector)second, 2);
    }
    return v;
}
#else
/* Places each pixel from the first bytes of a lane in its own slot. Pixels of 3 bytes use slots of
 * 4 bytes, and pixels of 6 bytes use slots of 8. Other pixels fill their slots. Unused bytes of a
 * slot are undefined. */
static inline Vector widen(Vector v, int pixel)
{
    Vector none = {0};
    if (pixel == 3)
        return __builtin_shufflevector(v, none, 0, 1, 2, 16, 3, 4, 5, 16, 6, 7, 8, 16, 9, 10, 11,
                                       16);
    if (pixel == 6)
        return __builtin_shufflevector(v, none, 0, 1, 2, 3, 4, 5, 16, 16, 6, 7, 8, 9, 10, 11, 16,
                                       16);
    return v;
}

/* Reverses widen. The last bytes of the lane are undefined. */
static inline Vector narrow(Vector v, int pixel)
{
    if (pixel == 3)
        return __builtin_shufflevector(v, v, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 3, 7, 11, 15);
    if (pixel == 6)
        return __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 6, 7, 14, 15);
    return v;
}

#endif

#endif
