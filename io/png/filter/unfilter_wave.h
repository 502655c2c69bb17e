/* Private to unfilter_loops.c, whose head comment explains slots, lanes and the wave. Unfilters
 * one block: n steps of the n rows in each lane. Uses the vectors of the vectors_*.h that was
 * included before. */
#ifndef IMGTOOL_IO_PNG_FILTER_UNFILTER_WAVE_H
#define IMGTOOL_IO_PNG_FILTER_UNFILTER_WAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

enum { LAG = 2, MOST_SLOTS = LANE, MOST_ROWS = LANES * MOST_SLOTS };

/* Masks for the filters of the rows. A mask has all ones in the slots of the rows whose filter uses
 * the neighbour `left`, `up` or `corner`, or the average. */
typedef struct Masks {
    Vector left, up, corner, average;
} Masks;

/* The state between two blocks of rows that are unfiltered together. */
typedef struct Wave {
    Vector pixels; /* the pixel of each row that was unfiltered last */
    Vector above;  /* for each row, the pixel above the pixel that was unfiltered last */
    /* The pixels of the last row of each lane: in the latest block, and in the block before it. */
    Vector latest, earlier;
} Wave;

/* Addresses of the pixels of n steps, for each row and for the row above the first row. */
typedef struct Block {
    const uint8_t *filtered[MOST_ROWS], *above;
    uint8_t *rows[MOST_ROWS];
} Block;

static const uint8_t ones_then_zeros[2 * LANE] = {255, 255, 255, 255, 255, 255, 255, 255,
                                                  255, 255, 255, 255, 255, 255, 255, 255};
static const uint8_t *const zeros = ones_then_zeros + LANE;

/* Unfilters one pixel of each row. One formula of left, above and corner (upper left) covers all
 * five filters. If a filter ignores a neighbour, this neighbour is 0 in the formula. The prediction
 * of all filters except Paeth is the larger of left and above; for Average, minus half of their
 * difference, rounded up.
 *
 * Paeth selects the larger of left and above if the corner is at most half as far from the smaller
 * as from the larger. In the opposite case it selects the smaller, otherwise the corner (this form
 * is from stb_image). A corner of 0 selects the larger. */
ALWAYS_INLINE Vector unfilter_step(const Masks *masks, Vector filtered, Vector pixels, Vector up,
                                   Vector upper_left, bool paeth)
{
    Vector left = pixels & masks->left, above = up & masks->up;
    Vector low = smaller(left, above), high = larger(left, above);
    Vector less = mean_up(subtract(high, low), all_bytes(0)) & masks->average;
    Vector or_high = subtract(add(filtered, high), less);
    if (!paeth)
        return or_high;
    Vector corner = upper_left & masks->corner;
    Vector or_low = add(filtered, low), or_corner = add(filtered, corner);
    Vector from_low = excess(corner, low), from_high = excess(high, corner);
    Vector not_high = exceeds_half(from_low, from_high);
    Vector not_low = exceeds_half(from_high, from_low);
    return or_high ^ (not_high & (or_high ^ or_low)) ^ (not_high & not_low & (or_low ^ or_corner));
}

/* Transposes n vectors of n slots in each lane, so that rows become columns. Each round of
 * interleaving rotates the bits of the index (row, slot) by one. */
ALWAYS_INLINE void turn(Vector v[MOST_SLOTS], int slot)
{
    const int n = LANE / slot, rounds = n == 16 ? 4 : n == 8 ? 3 : n == 4 ? 2 : 1;
    UNROLL for (int round = 0; round < rounds; round++)
    {
        Vector zipped[MOST_SLOTS];
        UNROLL for (int i = 0; i < n / 2; i++)
        {
            zipped[2 * i] = zip_low(v[i], v[i + n / 2], slot);
            zipped[2 * i + 1] = zip_high(v[i], v[i + n / 2], slot);
        }
        UNROLL for (int i = 0; i < n; i++) v[i] = zipped[i];
    }
}

/* Unfilters the n steps of a block. In step i, slots that are not set in active[i] keep their
 * pixel. If `active` is NULL, all slots are unfiltered in each step. */
ALWAYS_INLINE void unfilter_block(const Masks *masks, Wave *wave, const Block *block,
                                  const Vector *active, int pixel, int slot, bool paeth)
{
    const int n = LANE / slot;
    Vector v[MOST_SLOTS];
    UNROLL for (int k = 0; k < n; k++)
    {
        const uint8_t *from[LANES];
        // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): a group has rows in all lanes
        UNROLL for (int lane = 0; lane < LANES; lane++) from[lane] = block->filtered[lane * n + k];
        v[k] = widen(load_lanes(from), pixel);
    }
    turn(v, slot);

    Vector top = enter_lane(widen(load_lane(block->above), pixel),
                            shift_in(wave->latest, wave->earlier, slot));
    top = reversed(top, slot);
    Vector pixels = wave->pixels, above = wave->above;
    UNROLL for (int step = 0; step < n; step++)
    {
        Vector corner = above;
        above = shift_in(pixels, top, slot);
        Vector unfiltered = unfilter_step(masks, v[step], pixels, above, corner, paeth);
        if (active != NULL)
            unfiltered = (unfiltered & active[step]) | (pixels & ~active[step]);
        v[step] = pixels = unfiltered;
        top = shift_in(top, top, slot);
    }
    turn(v, slot);
    *wave = (Wave){pixels, above, v[n - 1], wave->latest};

    UNROLL for (int k = 0; k < n; k++)
    {
        Vector narrowed = narrow(v[k], pixel);
        UNROLL for (int lane = 0; lane < LANES; lane++)
            // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): n is at least 1, so v is set
            store_lane(block->rows[lane * n + k], narrowed, lane, n * pixel);
    }
}

#endif
