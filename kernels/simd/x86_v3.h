/* Functions that x86-64-v3 and later levels have under the same names for each width of vectors. As
 * for x86.h, the file that includes this one defines VRaw and MM(name). */
#ifndef IMGTOOL_KERNELS_SIMD_X86_V3_H
#define IMGTOOL_KERNELS_SIMD_X86_V3_H

static inline vu16 min_u16(vu16 a, vu16 b)
{
    return (vu16)MM(min_epu16)((VRaw)a, (VRaw)b);
}

static inline vu16 max_u16(vu16 a, vu16 b)
{
    return (vu16)MM(max_epu16)((VRaw)a, (VRaw)b);
}

static inline vi32 min_i32(vi32 a, vi32 b)
{
    return (vi32)MM(min_epi32)((VRaw)a, (VRaw)b);
}

static inline vi32 max_i32(vi32 a, vi32 b)
{
    return (vi32)MM(max_epi32)((VRaw)a, (VRaw)b);
}

static inline vu8 abs_i8(vi8 v)
{
    return (vu8)MM(abs_epi8)((VRaw)v);
}

static inline vu16 abs_i16(vi16 v)
{
    return (vu16)MM(abs_epi16)((VRaw)v);
}

static inline vi16 scale_i16(vi16 a, vi16 b)
{
    return (vi16)MM(mulhrs_epi16)((VRaw)a, (VRaw)b);
}

static inline vu16 pack_u32(vi32 a, vi32 b)
{
    return (vu16)MM(packus_epi32)((VRaw)a, (VRaw)b);
}

static inline vu8 zip_low(vu8 a, vu8 b, int size)
{
    const VRaw x = (VRaw)a, y = (VRaw)b;
    switch (size) {
    case 1:
        return (vu8)MM(unpacklo_epi8)(x, y);
    case 2:
        return (vu8)MM(unpacklo_epi16)(x, y);
    case 4:
        return (vu8)MM(unpacklo_epi32)(x, y);
    case 8:
        return (vu8)MM(unpacklo_epi64)(x, y);
    default:
        return zip_low_lanes(a, b);
    }
}

static inline vu8 zip_high(vu8 a, vu8 b, int size)
{
    const VRaw x = (VRaw)a, y = (VRaw)b;
    switch (size) {
    case 1:
        return (vu8)MM(unpackhi_epi8)(x, y);
    case 2:
        return (vu8)MM(unpackhi_epi16)(x, y);
    case 4:
        return (vu8)MM(unpackhi_epi32)(x, y);
    case 8:
        return (vu8)MM(unpackhi_epi64)(x, y);
    default:
        return zip_high_lanes(a, b);
    }
}

static inline vu8 shuffle_bytes(vu8 v, vu8 order)
{
    return (vu8)MM(shuffle_epi8)((VRaw)v, (VRaw)order);
}

static inline vu8 reverse(vu8 v, int size)
{
    static const uint8_t bytes[] = {15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
    static const uint8_t words[] = {14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1};
    switch (size) {
    case 1:
        return shuffle_bytes(v, repeat_lane(bytes));
    case 2:
        return shuffle_bytes(v, repeat_lane(words));
    case 4:
        return (vu8)MM(shuffle_epi32)((VRaw)v, _MM_SHUFFLE(0, 1, 2, 3));
    default:
        return (vu8)MM(shuffle_epi32)((VRaw)v, _MM_SHUFFLE(1, 0, 3, 2));
    }
}

static inline vu8 slide_in(vu8 v, vu8 top, int size)
{
    switch (size) {
    case 1:
        return (vu8)MM(alignr_epi8)((VRaw)v, (VRaw)top, 15);
    case 2:
        return (vu8)MM(alignr_epi8)((VRaw)v, (VRaw)top, 14);
    case 4:
        return (vu8)MM(alignr_epi8)((VRaw)v, (VRaw)top, 12);
    default:
        return (vu8)MM(alignr_epi8)((VRaw)v, (VRaw)top, 8);
    }
}

/* Each lane of `low` and `high` starts with four RGB pixels. Widens their samples to 16 bits, in
 * pairs of red and green, and of green and blue. Groups of four pixels alternate between `low` and
 * `high`, so that packing both later restores the order of the pixels. */
static inline void pair_rgb(vu8 low, vu8 high, VPairs *red_green, VPairs *green_blue)
{
    enum { NONE = 255 };
    static const uint8_t first[] = {0, NONE, 1, NONE, 3, NONE, 4,  NONE,
                                    6, NONE, 7, NONE, 9, NONE, 10, NONE};
    static const uint8_t second[] = {1, NONE, 2, NONE, 4,  NONE, 5,  NONE,
                                     7, NONE, 8, NONE, 10, NONE, 11, NONE};
    const vu8 red = repeat_lane(first), green = repeat_lane(second);
    *red_green = (VPairs){(vi16)shuffle_bytes(low, red), (vi16)shuffle_bytes(high, red)};
    *green_blue = (VPairs){(vi16)shuffle_bytes(low, green), (vi16)shuffle_bytes(high, green)};
}

static inline vu8 repeat_last(vu8 v, int size)
{
    return size == 8 ? (vu8)MM(shuffle_epi32)((VRaw)v, 0xF5)
                     : (vu8)MM(shuffle_epi32)((VRaw)v, 0xFF);
}

static inline vi64 shift_left_i64(vi64 v, int by)
{
    return (vi64)MM(sll_epi64)((VRaw)v, _mm_cvtsi32_si128(by));
}

/* The instruction multiplies even elements. */
static inline VWide wide_products(vi32 v, int32_t factor)
{
    const VRaw by = (VRaw)all_i32(factor);
    return (VWide){(vi64)MM(mul_epi32)((VRaw)v, by),
                   (vi64)MM(mul_epi32)((VRaw)((vu64)v >> 32), by)};
}

static inline void store_eight(void *to, vu8 v, int lane)
{
    _mm_storel_epi64((__m128i *)to, lane_of(v, lane));
}

static inline void store_lane(void *to, vu8 v, int lane)
{
    _mm_storeu_si128((__m128i *)to, lane_of(v, lane));
}

/* The halves of a lane become the first and the last eight of the twelve bytes. Storing a half
 * takes no shuffle, in contrast to storing a quarter. */
static inline vu8 join_ends(vu8 v, int pixel)
{
    static const uint8_t three[] = {0, 1, 2, 4, 5, 6, 8, 9, 5, 6, 8, 9, 10, 12, 13, 14};
    static const uint8_t six[] = {0, 1, 2, 3, 4, 5, 8, 9, 4, 5, 8, 9, 10, 11, 12, 13};
    return shuffle_bytes(v, repeat_lane(pixel == 3 ? three : six));
}

static inline void store_ends(void *to, vu8 v, int lane)
{
    const __m128i from = lane_of(v, lane);
    const double end = ((__m128d)from)[1];
    _mm_storel_epi64((__m128i *)to, from);
    memcpy((uint8_t *)to + 4, &end, sizeof end);
}

#endif
