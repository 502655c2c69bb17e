/* Private to unfilter_loops.c, whose head comment explains slots, lanes and the wave. Unfilters
 * one block: n steps of the n rows in each lane. */
#ifndef IMGTOOL_IO_PNG_FILTER_UNFILTER_WAVE_H
#define IMGTOOL_IO_PNG_FILTER_UNFILTER_WAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/simd/simd.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

enum { LAG = 2, MOST_SLOTS = V_LANE, MOST_ROWS = V_LANES * MOST_SLOTS };

/* Masks for the filters of the rows. A mask has all ones in the slots of the rows whose filter uses
 * the neighbour `left`, `up` or `corner`, or the average. */
typedef struct Masks {
    vu8 left, up, corner, average;
} Masks;

/* The state between two blocks of rows that are unfiltered together. */
typedef struct Wave {
    vu8 pixels; /* for each row, the pixel that was unfiltered last */
    vu8 above;  /* for each row, the pixel above the pixel that was unfiltered last */
    /* The pixels of the last row of each lane: in the latest block, and in the block before it. */
    vu8 latest, earlier;
} Wave;

/* Addresses of the pixels of a block. A block has n pixels of each row, one for each step, where n
 * is the number of slots in a lane. `filtered` and `rows` have the address of the first of these
 * pixels in each row, before and after unfiltering. `above` is the row above the first row. */
typedef struct Block {
    const uint8_t *filtered[MOST_ROWS], *above;
    uint8_t *rows[MOST_ROWS];
} Block;

static const uint8_t ones_then_zeros[2 * V_LANE] = {255, 255, 255, 255, 255, 255, 255, 255,
                                                    255, 255, 255, 255, 255, 255, 255, 255};
static const uint8_t *const zeros = ones_then_zeros + V_LANE;

/* Unfilters one pixel of each row. One formula of left, above and corner (upper left) covers all
 * five filters. If a filter ignores a neighbour, this neighbour is 0 in the formula. All filters
 * except Paeth predict the larger of left and above. Average subtracts from it half of their
 * difference, rounded up.
 *
 * Paeth selects the larger of left and above if the corner is at most half as far from the smaller
 * as from the larger. In the opposite case it selects the smaller, otherwise the corner (this form
 * is from stb_image). A corner of 0 selects the larger. */
ALWAYS_INLINE vu8 unfilter_step(const Masks *masks, vu8 filtered, vu8 pixels, vu8 up,
                                vu8 upper_left, bool paeth)
{
    vu8 left = pixels & masks->left, above = up & masks->up;
    vu8 low = min_u8(left, above), high = max_u8(left, above);
    vu8 less = average_u8(high - low, all_u8(0)) & masks->average;
    vu8 or_high = filtered + high - less;
    if (!paeth)
        return or_high;
    vu8 corner = upper_left & masks->corner;
    vu8 or_low = filtered + low, or_corner = filtered + corner;
    vu8 from_low = sub_sat_u8(corner, low), from_high = sub_sat_u8(high, corner);
    vu8 not_high = exceeds_half_u8(from_low, from_high);
    vu8 not_low = exceeds_half_u8(from_high, from_low);
    return or_high ^ (not_high & (or_high ^ or_low)) ^ (not_high & not_low & (or_low ^ or_corner));
}

/* Transposes n vectors of n slots in each lane, so that rows become columns. Each round of
 * interleaving rotates the bits of the index (row, slot) by one. */
ALWAYS_INLINE void turn(vu8 v[MOST_SLOTS], int slot)
{
    const int n = V_LANE / slot, rounds = n == 16 ? 4 : n == 8 ? 3 : n == 4 ? 2 : 1;
    UNROLL for (int round = 0; round < rounds; round++)
    {
        vu8 zipped[MOST_SLOTS];
        UNROLL for (int i = 0; i < n / 2; i++)
        {
            zipped[2 * i] = zip_low(v[i], v[i + n / 2], slot);
            zipped[2 * i + 1] = zip_high(v[i], v[i + n / 2], slot);
        }
        UNROLL for (int i = 0; i < n; i++) v[i] = zipped[i];
    }
}

/* Stores the pixels of a lane, which have 12 or 16 bytes together. */
ALWAYS_INLINE void store_pixels(uint8_t *to, vu8 v, int lane, int bytes)
{
    if (bytes == V_LANE)
        store_lane(to, v, lane);
    else
        store_twelve(to, v, lane);
}

/* Unfilters the n steps of a block. In step i, slots that are not set in active[i] keep their
 * pixel. If `active` is NULL, all slots are unfiltered in each step. */
ALWAYS_INLINE void unfilter_block(const Masks *masks, Wave *wave, const Block *block,
                                  const vu8 *active, int pixel, int slot, bool paeth)
{
    const int n = V_LANE / slot;
    vu8 v[MOST_SLOTS];
    UNROLL for (int k = 0; k < n; k++)
    {
        const uint8_t *from[V_LANES];
        // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): a group has rows in all lanes
        UNROLL for (int lane = 0; lane < V_LANES; lane++) from[lane] =
            block->filtered[lane * n + k];
        v[k] = spread_pixels(load_lanes_at(from), pixel);
    }
    turn(v, slot);

    vu8 top = enter_lane(spread_pixels(load_lane(block->above), pixel),
                         slide_in(wave->latest, wave->earlier, slot));
    top = reverse(top, slot);
    vu8 pixels = wave->pixels, above = wave->above;
    UNROLL for (int step = 0; step < n; step++)
    {
        vu8 corner = above;
        above = slide_in(pixels, top, slot);
        vu8 unfiltered = unfilter_step(masks, v[step], pixels, above, corner, paeth);
        if (active != NULL)
            unfiltered = (unfiltered & active[step]) | (pixels & ~active[step]);
        v[step] = pixels = unfiltered;
        top = slide_in(top, top, slot);
    }
    turn(v, slot);
    *wave = (Wave){pixels, above, v[n - 1], wave->latest};

    UNROLL for (int k = 0; k < n; k++)
    {
        vu8 narrowed = join_pixels(v[k], pixel);
        UNROLL for (int lane = 0; lane < V_LANES; lane++)
            // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): n is at least 1, so v is set
            store_pixels(block->rows[lane * n + k], narrowed, lane, n * pixel);
    }
}

#endif
