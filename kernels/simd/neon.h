/* Vectors of 16 bytes, for 64-bit ARM. portable.h says what each function does. */
#ifndef IMGTOOL_KERNELS_SIMD_NEON_H
#define IMGTOOL_KERNELS_SIMD_NEON_H

#include <arm_neon.h>

enum { V_HAS_SHUFFLE = 1 };
#define V_HAS_TABLE 1

#include "kernels/simd/one_lane.h"

static inline vu8 min_u8(vu8 a, vu8 b)
{
    return (vu8)vminq_u8((uint8x16_t)a, (uint8x16_t)b);
}

static inline vu8 max_u8(vu8 a, vu8 b)
{
    return (vu8)vmaxq_u8((uint8x16_t)a, (uint8x16_t)b);
}

static inline vu16 min_u16(vu16 a, vu16 b)
{
    return (vu16)vminq_u16((uint16x8_t)a, (uint16x8_t)b);
}

static inline vu16 max_u16(vu16 a, vu16 b)
{
    return (vu16)vmaxq_u16((uint16x8_t)a, (uint16x8_t)b);
}

static inline vi16 min_i16(vi16 a, vi16 b)
{
    return (vi16)vminq_s16((int16x8_t)a, (int16x8_t)b);
}

static inline vi16 max_i16(vi16 a, vi16 b)
{
    return (vi16)vmaxq_s16((int16x8_t)a, (int16x8_t)b);
}

static inline vi32 min_i32(vi32 a, vi32 b)
{
    return (vi32)vminq_s32((int32x4_t)a, (int32x4_t)b);
}

static inline vi32 max_i32(vi32 a, vi32 b)
{
    return (vi32)vmaxq_s32((int32x4_t)a, (int32x4_t)b);
}

static inline vu8 sub_sat_u8(vu8 a, vu8 b)
{
    return (vu8)vqsubq_u8((uint8x16_t)a, (uint8x16_t)b);
}

static inline vu16 add_sat_u16(vu16 a, vu16 b)
{
    return (vu16)vqaddq_u16((uint16x8_t)a, (uint16x8_t)b);
}

static inline vu8 average_u8(vu8 a, vu8 b)
{
    return (vu8)vrhaddq_u8((uint8x16_t)a, (uint8x16_t)b);
}

static inline vu8 abs_i8(vi8 v)
{
    return (vu8)vabsq_s8((int8x16_t)v);
}

static inline vu16 abs_i16(vi16 v)
{
    return (vu16)vabsq_s16((int16x8_t)v);
}

static inline vu8 exceeds_half_u8(vu8 a, vu8 b)
{
    return (vu8)(a > b >> 1);
}

static inline vu16 high_u16(vu16 a, vu16 b)
{
    const uint16x8_t x = (uint16x8_t)a, y = (uint16x8_t)b;
    const uint32x4_t low = vmull_u16(vget_low_u16(x), vget_low_u16(y)), high = vmull_high_u16(x, y);
    return (vu16)vuzp2q_u16(vreinterpretq_u16_u32(low), vreinterpretq_u16_u32(high));
}

static inline vi16 scale_i16(vi16 a, vi16 b)
{
    return (vi16)vqrdmulhq_s16((int16x8_t)a, (int16x8_t)b);
}

static inline vi32 dot_i16(vi16 a, vi16 b)
{
    const int16x8_t x = (int16x8_t)a, y = (int16x8_t)b;
    return (vi32)vpaddq_s32(vmull_s16(vget_low_s16(x), vget_low_s16(y)), vmull_high_s16(x, y));
}

static inline vu64 sums_u8(vu8 v)
{
    return (vu64)vpaddlq_u32(vpaddlq_u16(vpaddlq_u8((uint8x16_t)v)));
}

static inline uint64_t sum_u64(vu64 v)
{
    return vaddvq_u64((uint64x2_t)v);
}

static inline bool is_zero(vu8 v)
{
    return vmaxvq_u8((uint8x16_t)v) == 0;
}

static inline uint64_t mask_u8(vu8 v)
{
    const vu8 weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t bits = (uint8x16_t)(v & weights);
    return vaddv_u8(vget_low_u8(bits)) | (uint64_t)vaddv_u8(vget_high_u8(bits)) << 8;
}

static inline uint64_t equal_u8(vu8 a, vu8 b)
{
    return mask_u8((vu8)(a == b));
}

static inline vu16 shift_left_u16(vu16 v, int by)
{
    return (vu16)vshlq_u16((uint16x8_t)v, vdupq_n_s16((int16_t)by));
}

static inline vu16 shifted_u16(uint16_t value, vu16 by)
{
    return (vu16)vshlq_u16(vdupq_n_u16(value), vnegq_s16((int16x8_t)by));
}

static inline vi32 shift_right_i32(vi32 v, int by)
{
    return (vi32)vshlq_s32((int32x4_t)v, vdupq_n_s32(-by));
}

/* One vector holds the first number of each pair, the other vector the second number. */
static inline VPairs pairs_of(vi16 a, vi16 b)
{
    return (VPairs){a, b};
}

static inline VPairs pairs_all(int16_t a, int16_t b)
{
    return (VPairs){all_i16(a), all_i16(b)};
}

static inline VPairs load_pair(const int16_t *pair)
{
    return pairs_all(pair[0], pair[1]);
}

static inline VSums sums_add_half(VSums sums, int16x8_t a, int16x8_t b)
{
    return (VSums){(vi32)vmlal_s16((int32x4_t)sums.low, vget_low_s16(a), vget_low_s16(b)),
                   (vi32)vmlal_high_s16((int32x4_t)sums.high, a, b)};
}

static inline VSums sums_add(VSums sums, VPairs a, VPairs b)
{
    sums = sums_add_half(sums, (int16x8_t)a.low, (int16x8_t)b.low);
    return sums_add_half(sums, (int16x8_t)a.high, (int16x8_t)b.high);
}

static inline vu16 widen_u8(const void *from)
{
    return (vu16)vmovl_u8(vld1_u8(from));
}

static inline vi16 pack_i32(vi32 a, vi32 b)
{
    return (vi16)vqmovn_high_s32(vqmovn_s32((int32x4_t)a), (int32x4_t)b);
}

static inline vu16 pack_u32(vi32 a, vi32 b)
{
    return (vu16)vqmovun_high_s32(vqmovun_s32((int32x4_t)a), (int32x4_t)b);
}

static inline vu8 pack_i16(vi16 a, vi16 b)
{
    return (vu8)vqmovun_high_s16(vqmovun_s16((int16x8_t)a), (int16x8_t)b);
}

static inline vi16 narrow_i32(vi32 a, vi32 b)
{
    return pack_i32(a, b);
}

/* The instruction returns 0 for indices above 15. */
static inline vu8 shuffle_bytes(vu8 v, vu8 order)
{
    return (vu8)vqtbl1q_u8((uint8x16_t)v, (uint8x16_t)order);
}

static inline vu8 slide_in(vu8 v, vu8 top, int size)
{
    const uint8x16_t low = (uint8x16_t)top, high = (uint8x16_t)v;
    switch (size) {
    case 1:
        return (vu8)vextq_u8(low, high, 15);
    case 2:
        return (vu8)vextq_u8(low, high, 14);
    case 4:
        return (vu8)vextq_u8(low, high, 12);
    default:
        return (vu8)vextq_u8(low, high, 8);
    }
}

static inline void load_rgb(const uint8_t *from, VPairs *red_green, VPairs *green_blue)
{
    const uint8x8x3_t pixels = vld3_u8(from);
    const vi16 green = (vi16)vmovl_u8(pixels.val[1]);
    *red_green = (VPairs){(vi16)vmovl_u8(pixels.val[0]), green};
    *green_blue = (VPairs){green, (vi16)vmovl_u8(pixels.val[2])};
}

typedef struct VTable {
    uint8x16x4_t of[4];
} VTable;

static inline VTable load_table(const uint8_t *entries)
{
    VTable table;
    for (int i = 0; i < 4; i++)
        table.of[i] = vld1q_u8_x4(entries + i * 64);
    return table;
}

/* Uses one instruction for each quarter of the table. The first instruction returns 0 for indices
 * outside its quarter. Each further instruction leaves a byte of the result unchanged if the index
 * is outside its own quarter. */
static inline vu8 look_up_u8(const VTable *table, vu8 bytes)
{
    uint8x16_t found = vqtbl4q_u8(table->of[0], (uint8x16_t)bytes);
    for (int i = 1; i < 4; i++) {
        bytes -= 64;
        found = vqtbx4q_u8(found, table->of[i], (uint8x16_t)bytes);
    }
    return (vu8)found;
}

/* GCC and clang have no intrinsic for non-temporal stores. */
static inline void stream_u8(void *to, vu8 v)
{
    store_u8(to, v);
}

static inline void stream_end(void)
{
}

static inline VSixteen sixteen_add_dots(VSixteen sums, const int16_t *pairs, const int16_t *pair)
{
    const VPairs by = pairs_all(pair[0], pair[1]);
    for (int i = 0; i < V_SIXTEEN; i += 2) {
        const int16x8x2_t of = vld2q_s16(pairs + i * V_WORDS);
        const VSums added = sums_add((VSums){sums.of[i], sums.of[i + 1]},
                                     (VPairs){(vi16)of.val[0], (vi16)of.val[1]}, by);
        sums.of[i] = added.low;
        sums.of[i + 1] = added.high;
    }
    return sums;
}

static inline void store_bytes(uint8_t *to, VSixteen sixteen)
{
    const vi32 *of = sixteen.of;
    store_u8(to, pack_i16(pack_i32(of[0], of[1]), pack_i32(of[2], of[3])));
}

static inline vi64 shift_left_i64(vi64 v, int by)
{
    return (vi64)vshlq_s64((int64x2_t)v, vdupq_n_s64(by));
}

static inline vi64 shift_right_i64(vi64 v, int by)
{
    return (vi64)vshlq_s64((int64x2_t)v, vdupq_n_s64(-by));
}

static inline VWide wide_products(vi32 v, int32_t factor)
{
    const int32x4_t of = (int32x4_t)v;
    return (VWide){(vi64)vmull_n_s32(vget_low_s32(of), factor), (vi64)vmull_high_n_s32(of, factor)};
}

static inline vi32 wide_words(VWide wide)
{
    return (vi32)vuzp1q_s32((int32x4_t)wide.first, (int32x4_t)wide.second);
}

static inline void store_wide(int64_t *to, VWide wide)
{
    store_i64(to, wide.first);
    store_i64(to + V_LONGS / 2, wide.second);
}

static inline vi32 dot_halves(vi16 v, vi16 pairs)
{
    const int16x8_t of = (int16x8_t)v, by = (int16x8_t)pairs;
    return (vi32)vmlal_high_laneq_s16(vmull_laneq_s16(vget_low_s16(of), by, 0), of, by, 1);
}

#endif
