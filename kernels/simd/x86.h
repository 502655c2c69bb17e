/* Functions that x86-64 has under the same names for each width of vectors. The file that includes
 * this one defines VRaw, the vector type of the intrinsics, and MM(name), the intrinsic of a name
 * and of that width. portable.h says what each function does. */
#ifndef IMGTOOL_KERNELS_SIMD_X86_H
#define IMGTOOL_KERNELS_SIMD_X86_H

static inline vu8 min_u8(vu8 a, vu8 b)
{
    return (vu8)MM(min_epu8)((VRaw)a, (VRaw)b);
}

static inline vu8 max_u8(vu8 a, vu8 b)
{
    return (vu8)MM(max_epu8)((VRaw)a, (VRaw)b);
}

static inline vi16 min_i16(vi16 a, vi16 b)
{
    return (vi16)MM(min_epi16)((VRaw)a, (VRaw)b);
}

static inline vi16 max_i16(vi16 a, vi16 b)
{
    return (vi16)MM(max_epi16)((VRaw)a, (VRaw)b);
}

static inline vu8 sub_sat_u8(vu8 a, vu8 b)
{
    return (vu8)MM(subs_epu8)((VRaw)a, (VRaw)b);
}

static inline vu16 add_sat_u16(vu16 a, vu16 b)
{
    return (vu16)MM(adds_epu16)((VRaw)a, (VRaw)b);
}

static inline vu8 average_u8(vu8 a, vu8 b)
{
    return (vu8)MM(avg_epu8)((VRaw)a, (VRaw)b);
}

static inline vu16 high_u16(vu16 a, vu16 b)
{
    return (vu16)MM(mulhi_epu16)((VRaw)a, (VRaw)b);
}

static inline vi32 dot_i16(vi16 a, vi16 b)
{
    return (vi32)MM(madd_epi16)((VRaw)a, (VRaw)b);
}

static inline vu64 sums_u8(vu8 v)
{
    return (vu64)MM(sad_epu8)((VRaw)v, (VRaw)all_u8(0));
}

static inline vu16 shift_left_u16(vu16 v, int by)
{
    return (vu16)MM(sll_epi16)((VRaw)v, _mm_cvtsi32_si128(by));
}

static inline vi32 shift_right_i32(vi32 v, int by)
{
    return (vi32)MM(sra_epi32)((VRaw)v, _mm_cvtsi32_si128(by));
}

static inline vi16 pack_i32(vi32 a, vi32 b)
{
    return (vi16)MM(packs_epi32)((VRaw)a, (VRaw)b);
}

static inline vu8 pack_i16(vi16 a, vi16 b)
{
    return (vu8)MM(packus_epi16)((VRaw)a, (VRaw)b);
}

/* Pairs are interleaved, so that one instruction multiplies and adds them. */
static inline VPairs pairs_of(vi16 a, vi16 b)
{
    return (VPairs){(vi16)zip_low((vu8)a, (vu8)b, 2), (vi16)zip_high((vu8)a, (vu8)b, 2)};
}

static inline VPairs pairs_all(int16_t a, int16_t b)
{
    const vi16 both = (vi16)all_i32((uint16_t)a | (int32_t)b * 65536);
    return (VPairs){both, both};
}

static inline int32_t pair_at(const int16_t *pair)
{
    int32_t both;
    memcpy(&both, pair, sizeof both);
    return both;
}

static inline VPairs load_pair(const int16_t *pair)
{
    const vi16 both = (vi16)all_i32(pair_at(pair));
    return (VPairs){both, both};
}

static inline VSums sums_add(VSums sums, VPairs a, VPairs b)
{
    return (VSums){sums.low + dot_i16(a.low, b.low), sums.high + dot_i16(a.high, b.high)};
}

static inline void stream_end(void)
{
    _mm_sfence();
}

static inline VSixteen sixteen_add_dots(VSixteen sums, const int16_t *pairs, const int16_t *pair)
{
    int32_t both;
    memcpy(&both, pair, sizeof both);
    for (int i = 0; i < V_SIXTEEN; i++)
        sums.of[i] += dot_i16(load_i16(pairs + i * V_WORDS), (vi16)all_i32(both));
    return sums;
}

static inline vi32 dot_halves(vi16 v, vi16 pairs)
{
    return dot_i16((vi16)zip_low((vu8)v, zip_high((vu8)v, (vu8)v, 8), 2), pairs);
}

#endif
