/* Vectors with the same names for every processor. The compiler's flags choose the instruction set.
 * README.md explains how to write a loop with them.
 *
 * A vector has V_BYTES bytes. It consists of V_LANES lanes of 16 bytes, and a lane of elements. The
 * types have the operators of C (+ - * & | ^ ~ << >> < ==), which work on each element. A
 * comparison sets all bits of an element or none. A cast between types keeps the bytes. */
#ifndef IMGTOOL_KERNELS_SIMD_SIMD_H
#define IMGTOOL_KERNELS_SIMD_SIMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined IMG_SIMD_PORTABLE
enum { V_BYTES = 16 };
#elif defined __AVX512BW__
enum { V_BYTES = 64 };
#elif defined __AVX2__
enum { V_BYTES = 32 };
#else
enum { V_BYTES = 16 };
#endif

/* V_LANES is the number of lanes of 16 bytes. V_WORDS and V_LONGS are the numbers of elements of 16
 * and of 32 bits. */
enum { V_LANE = 16, V_LANES = V_BYTES / V_LANE, V_WORDS = V_BYTES / 2, V_LONGS = V_BYTES / 4 };

typedef uint8_t vu8 __attribute__((vector_size(V_BYTES)));
typedef int8_t vi8 __attribute__((vector_size(V_BYTES)));
typedef uint16_t vu16 __attribute__((vector_size(V_BYTES)));
typedef int16_t vi16 __attribute__((vector_size(V_BYTES)));
typedef uint32_t vu32 __attribute__((vector_size(V_BYTES)));
typedef int32_t vi32 __attribute__((vector_size(V_BYTES)));
typedef uint64_t vu64 __attribute__((vector_size(V_BYTES)));
typedef int64_t vi64 __attribute__((vector_size(V_BYTES)));

/* A vector in memory: at any address, and of any type. */
typedef uint8_t VMemory __attribute__((vector_size(V_BYTES), aligned(1), may_alias));

/* V_WORDS pairs of 16-bit numbers, of which sums_add computes dot products. Their order in the two
 * vectors depends on the processor. */
typedef struct VPairs {
    vi16 low, high;
} VPairs;

/* V_WORDS sums of 32 bits, in the order of the pairs from which they come. */
typedef struct VSums {
    vi32 low, high;
} VSums;

/* Sixteen numbers of 32 bits, in as many vectors as they take. */
enum { V_SIXTEEN = 64 / V_BYTES };
typedef struct VSixteen {
    vi32 of[V_SIXTEEN];
} VSixteen;

/* V_LONGS numbers of 64 bits, in an order that depends on the processor. */
typedef struct VWide {
    vi64 first, second;
} VWide;

/* --- Loads and stores --------------------------------------------------------------------------
 *
 * Addresses need no alignment. memcpy is avoided: GCC 12 copies vectors of 32 bytes to and from
 * local variables in parts, which are slow to load again as a vector. */

static inline vu8 load_u8(const void *from)
{
    return *(const VMemory *)from;
}

static inline vu16 load_u16(const void *from)
{
    return (vu16)load_u8(from);
}

static inline vi16 load_i16(const void *from)
{
    return (vi16)load_u8(from);
}

static inline vu32 load_u32(const void *from)
{
    return (vu32)load_u8(from);
}

static inline vi64 load_i64(const void *from)
{
    return (vi64)load_u8(from);
}

static inline vi32 load_i32(const void *from)
{
    return (vi32)load_u8(from);
}

/* Stores a vector of any type, cast to vu8. */
static inline void store_u8(void *to, vu8 v)
{
    *(VMemory *)to = v;
}

static inline void store_u16(void *to, vu16 v)
{
    store_u8(to, (vu8)v);
}

static inline void store_i16(void *to, vi16 v)
{
    store_u8(to, (vu8)v);
}

static inline void store_u32(void *to, vu32 v)
{
    store_u8(to, (vu8)v);
}

static inline void store_i32(void *to, vi32 v)
{
    store_u8(to, (vu8)v);
}

static inline void store_i64(void *to, vi64 v)
{
    store_u8(to, (vu8)v);
}

/* Return vectors whose elements all have the same value. */
static inline vu8 all_u8(uint8_t value)
{
    return (vu8){0} + value;
}

static inline vu16 all_u16(uint16_t value)
{
    return (vu16){0} + value;
}

static inline vi16 all_i16(int16_t value)
{
    return (vi16){0} + value;
}

static inline vu32 all_u32(uint32_t value)
{
    return (vu32){0} + value;
}

static inline vi32 all_i32(int32_t value)
{
    return (vi32){0} + value;
}

static inline vi64 all_i64(int64_t value)
{
    return (vi64){0} + value;
}

#if defined IMG_SIMD_PORTABLE
#include "kernels/simd/portable.h"
#elif defined __AVX512BW__
#include "kernels/simd/avx512.h"
#elif defined __AVX2__
#include "kernels/simd/avx2.h"
#elif defined __SSE2__
#include "kernels/simd/sse2.h"
#elif defined __aarch64__ && defined __ARM_NEON && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#include "kernels/simd/neon.h"
#else
#include "kernels/simd/portable.h"
#endif

/* --- Functions made of others ------------------------------------------------------------------
 */

#if !V_HAS_TABLE
/* A table of 256 bytes. */
typedef struct VTable {
    uint8_t entries[256];
} VTable;

static inline VTable load_table(const uint8_t *entries)
{
    VTable table;
    memcpy(table.entries, entries, sizeof table.entries);
    return table;
}

/* Returns the table's entry for each byte. */
static inline vu8 look_up_u8(const VTable *table, vu8 bytes)
{
    uint8_t found[V_BYTES];
    store_u8(found, bytes);
    for (int i = 0; i < V_BYTES; i++)
        found[i] = table->entries[found[i]];
    return load_u8(found);
}
#endif

#ifndef V_HAS_PIXELS
static inline vu8 spread_pixels(vu8 v, int pixel)
{
    static const uint8_t three[] = {0, 1, 2, 255, 3, 4, 5, 255, 6, 7, 8, 255, 9, 10, 11, 255};
    static const uint8_t six[] = {0, 1, 2, 3, 4, 5, 255, 255, 6, 7, 8, 9, 10, 11, 255, 255};
    if (pixel == 3)
        return shuffle_bytes(v, repeat_lane(three));
    return pixel == 6 ? shuffle_bytes(v, repeat_lane(six)) : v;
}

static inline vu8 join_pixels(vu8 v, int pixel)
{
    static const uint8_t three[] = {0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 255, 255, 255, 255};
    static const uint8_t six[] = {0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 255, 255, 255, 255};
    if (pixel == 3)
        return shuffle_bytes(v, repeat_lane(three));
    return pixel == 6 ? shuffle_bytes(v, repeat_lane(six)) : v;
}
#endif

#ifdef V_ONE_LANE
/* Joins pixels of 3 or 6 bytes for store_ends. The order of the bytes depends on the processor. */
static inline vu8 join_ends(vu8 v, int pixel)
{
    return join_pixels(v, pixel);
}

/* Stores the twelve bytes of a lane that join_ends has joined, in the order of join_pixels. */
static inline void store_ends(void *to, vu8 v, int lane)
{
    (void)lane;
    memcpy(to, &v, 12);
}

/* Returns a vector in which lane i consists of repetitions of the two numbers pair[i]. */
static inline vi16 repeat_pairs(const int16_t *const pair[V_LANES])
{
    int32_t both;
    memcpy(&both, pair[0], sizeof both);
    return (vi16)all_i32(both);
}

/* Returns the pairs for sums_add in which all elements of lane i have the pair pair[i]. */
static inline VPairs pairs_of_lanes(const int16_t *const pair[V_LANES])
{
    return load_pair(pair[0]);
}

/* Returns the pairs for sums_add in which the lower half of the elements has the pair `low` and the
 * upper half the pair `high`. */
static inline VPairs pairs_of_halves(const int16_t *low, const int16_t *high)
{
    const int16_t first[] = {low[0], low[0], low[0], low[0], high[0], high[0], high[0], high[0]};
    const int16_t second[] = {low[1], low[1], low[1], low[1], high[1], high[1], high[1], high[1]};
    return pairs_of(load_i16(first), load_i16(second));
}
#endif

/* Load and store sums as they are. Their order depends on the processor; only pack_i32, pack_u32,
 * zip_low and zip_high put the sums in the order of the pixels. */
static inline VSums load_sums(const void *from)
{
    return (VSums){load_i32(from), load_i32((const int32_t *)from + V_LONGS)};
}

static inline void store_sums(void *to, VSums sums)
{
    store_i32(to, sums.low);
    store_i32((int32_t *)to + V_LONGS, sums.high);
}

/* Widen the bytes of the low or high half of each lane to 16 bits. */
static inline vu16 widen_low(vu8 v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return (vu16)zip_low(all_u8(0), v, 1);
#else
    return (vu16)zip_low(v, all_u8(0), 1);
#endif
}

static inline vu16 widen_high(vu8 v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return (vu16)zip_high(all_u8(0), v, 1);
#else
    return (vu16)zip_high(v, all_u8(0), 1);
#endif
}

static inline VSums sums_all(int32_t value)
{
    return (VSums){all_i32(value), all_i32(value)};
}

static inline VSums sums_shift(VSums sums, int32_t by)
{
    return (VSums){shift_right_i32(sums.low, by), shift_right_i32(sums.high, by)};
}

static inline VSixteen sixteen_all(int32_t value)
{
    VSixteen sixteen;
    for (int i = 0; i < V_SIXTEEN; i++)
        sixteen.of[i] = all_i32(value);
    return sixteen;
}

static inline VSixteen load_sixteen(const int32_t *from)
{
    VSixteen sixteen;
    for (int i = 0; i < V_SIXTEEN; i++)
        sixteen.of[i] = load_i32(from + i * V_LONGS);
    return sixteen;
}

static inline void store_sixteen(int32_t *to, VSixteen sixteen)
{
    for (int i = 0; i < V_SIXTEEN; i++)
        store_i32(to + i * V_LONGS, sixteen.of[i]);
}

static inline VSixteen sixteen_shift(VSixteen sixteen, int32_t by)
{
    for (int i = 0; i < V_SIXTEEN; i++)
        sixteen.of[i] = shift_right_i32(sixteen.of[i], by);
    return sixteen;
}

#endif
