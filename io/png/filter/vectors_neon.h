/* Vectors of bytes for the row filters with NEON: one lane of 16 bytes. vectors_portable.h
 * specifies each function. Intrinsics are used for operations that compilers do not recognise:
 * minimum and maximum, saturated difference, rounded mean, sums of neighbours, and byte
 * shuffles. */
#ifndef IMGTOOL_IO_PNG_FILTER_VECTORS_NEON_H
#define IMGTOOL_IO_PNG_FILTER_VECTORS_NEON_H

#include <arm_neon.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { LANE = 16, LANES = 1 };

typedef uint8x16_t Vector;

static inline Vector load_vector(const uint8_t *p)
{
    return vld1q_u8(p);
}

static inline void store_vector(uint8_t *p, Vector v)
{
    vst1q_u8(p, v);
}

static inline Vector load_lanes(const uint8_t *const p[LANES])
{
    return load_vector(p[0]);
}

static inline void store_lane(uint8_t *p, Vector v, int lane, int bytes)
{
    (void)lane;
    if (bytes == LANE)
        store_vector(p, v);
    else
        memcpy(p, &v, 12);
}

static inline Vector load_lane(const uint8_t *p)
{
    return load_vector(p);
}

static inline Vector enter_lane(Vector first, Vector v)
{
    (void)v;
    return first;
}

static inline Vector all_bytes(uint8_t value)
{
    return vdupq_n_u8(value);
}

static inline bool is_zero(Vector v)
{
    return vmaxvq_u8(v) == 0;
}

static inline Vector add(Vector a, Vector b)
{
    return vaddq_u8(a, b);
}

static inline Vector subtract(Vector a, Vector b)
{
    return vsubq_u8(a, b);
}

static inline Vector smaller(Vector a, Vector b)
{
    return vminq_u8(a, b);
}

static inline Vector larger(Vector a, Vector b)
{
    return vmaxq_u8(a, b);
}

static inline Vector excess(Vector a, Vector b)
{
    return vqsubq_u8(a, b);
}

static inline Vector mean_up(Vector a, Vector b)
{
    return vrhaddq_u8(a, b);
}

static inline Vector exceeds_half(Vector a, Vector b)
{
    return vcgtq_u8(a, vshrq_n_u8(b, 1));
}

/* The absolute values are unsigned bytes; the absolute value of -128 is 128. */
static inline Vector add_absolute(Vector sums, Vector v)
{
    const uint8x16_t absolute = vreinterpretq_u8_s8(vabsq_s8(vreinterpretq_s8_u8(v)));
    const uint32x4_t fours = vpaddlq_u16(vpaddlq_u8(absolute));
    return vreinterpretq_u8_u64(vpadalq_u32(vreinterpretq_u64_u8(sums), fours));
}

static inline uint64_t sum_of(Vector sums)
{
    return vaddvq_u64(vreinterpretq_u64_u8(sums));
}

static inline Vector shift_in(Vector v, Vector top, int slot)
{
    switch (slot) {
    case 1:
        return vextq_u8(top, v, 15);
    case 2:
        return vextq_u8(top, v, 14);
    case 4:
        return vextq_u8(top, v, 12);
    default:
        return vextq_u8(top, v, 8);
    }
}

static inline Vector reversed(Vector v, int slot)
{
    switch (slot) {
    case 1:
        v = vrev64q_u8(v);
        break;
    case 2:
        v = vreinterpretq_u8_u16(vrev64q_u16(vreinterpretq_u16_u8(v)));
        break;
    case 4:
        v = vreinterpretq_u8_u32(vrev64q_u32(vreinterpretq_u32_u8(v)));
        break;
    default:
        break;
    }
    return vextq_u8(v, v, 8);
}

#define ZIPPED(which, bits, a, b)                                                                  \
    vreinterpretq_u8_u##bits(                                                                      \
        vzip##which##q_u##bits(vreinterpretq_u##bits##_u8(a), vreinterpretq_u##bits##_u8(b)))

static inline Vector zip_low(Vector a, Vector b, int slot)
{
    switch (slot) {
    case 1:
        return vzip1q_u8(a, b);
    case 2:
        return ZIPPED(1, 16, a, b);
    case 4:
        return ZIPPED(1, 32, a, b);
    default:
        return ZIPPED(1, 64, a, b);
    }
}

static inline Vector zip_high(Vector a, Vector b, int slot)
{
    switch (slot) {
    case 1:
        return vzip2q_u8(a, b);
    case 2:
        return ZIPPED(2, 16, a, b);
    case 4:
        return ZIPPED(2, 32, a, b);
    default:
        return ZIPPED(2, 64, a, b);
    }
}

#undef ZIPPED

/* The shuffle instruction returns zeros for indices above 15. */
static inline Vector widen(Vector v, int pixel)
{
    static const uint8_t three[16] = {0, 1, 2, 255, 3, 4, 5, 255, 6, 7, 8, 255, 9, 10, 11, 255};
    static const uint8_t six[16] = {0, 1, 2, 3, 4, 5, 255, 255, 6, 7, 8, 9, 10, 11, 255, 255};
    if (pixel == 3)
        return vqtbl1q_u8(v, vld1q_u8(three));
    return pixel == 6 ? vqtbl1q_u8(v, vld1q_u8(six)) : v;
}

static inline Vector narrow(Vector v, int pixel)
{
    static const uint8_t three[16] = {0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 3, 7, 11, 15};
    static const uint8_t six[16] = {0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 6, 7, 14, 15};
    if (pixel == 3)
        return vqtbl1q_u8(v, vld1q_u8(three));
    return pixel == 6 ? vqtbl1q_u8(v, vld1q_u8(six)) : v;
}

#endif
