/* The loops that unfilter rows, compiled once for each instruction set
 * (kernels/core/parallel/cpu.h), with its vectors.
 *
 * Each pixel depends on the pixel on its left, so a single row would leave the processor mostly
 * idle. Therefore several rows are unfiltered together, as a wave. Each slot of a vector holds a
 * pixel of a different row, and row k runs k pixels behind row 0. So the pixel above is the one
 * that the previous slot held one step earlier.
 *
 * A vector consists of V_LANES lanes of V_LANE bytes. A lane of n slots handles n rows. The next
 * lane handles the next n rows. It runs LAG blocks of n steps behind, so that the row above its
 * first row is already in a register. Rows may have different filters: a filter type is a set of
 * masks in the row's slot (see unfilter_step). */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/filter/filter_loops.h"
#include "kernels/core/parallel/cpu.h"
#include "kernels/simd/simd.h"

/* --- One block -------------------------------------------------------------------------------- */

/* Unfilters one block: n steps of the n rows in each lane. */
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
    if (!paeth)
        return filtered + high - less;
    vu8 corner = upper_left & masks->corner, larger = high - less;
    vu8 from_low = sub_sat_u8(corner, low), from_high = sub_sat_u8(high, corner);
    vu8 not_low = exceeds_half_u8(from_high, from_low);
    vu8 not_high = exceeds_half_u8(from_low, from_high);
    vu8 change = (not_high & (larger ^ low)) ^ (not_high & not_low & (low ^ corner));
    return filtered + (larger ^ change);
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
        // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): n is at least 1, so v is set
        const vu8 narrowed = pixel == slot ? v[k] : join_ends(v[k], pixel);
        UNROLL for (int lane = 0; lane < V_LANES; lane++)
        {
            // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): each lane has rows
            uint8_t *to = block->rows[lane * n + k];
            if (pixel == slot)
                store_lane(to, narrowed, lane);
            else
                store_ends(to, narrowed, lane);
        }
    }
}

/* --- Groups of rows --------------------------------------------------------------------------- */

/* Rows that are unfiltered together. All pointers are to the first byte that must be unfiltered in
 * each row. */
typedef struct Group {
    /* `above` is the row above the first row. NULL means that this row consists of zeros. */
    const uint8_t *filtered[MOST_ROWS], *above;
    uint8_t *rows[MOST_ROWS];
    ptrdiff_t width;
    int count;
    bool paeth; /* true if at least one row has the Paeth filter */
    Masks masks;
} Group;

/* Returns the byte offset in row `r` of a block that is at offset `at` in row 0. `pixel` and `slot`
 * are the bytes of a pixel and of a slot, so a lane handles V_LANE / slot rows. Within a lane, each
 * row runs one pixel behind the row above. Each lane runs LAG blocks behind the lane before. */
ALWAYS_INLINE ptrdiff_t place(int r, ptrdiff_t at, int pixel, int slot)
{
    const int n = V_LANE / slot;
    return at - (r % n + LAG * n * (r / n)) * (ptrdiff_t)pixel;
}

/* Unfilters the blocks from offset `at` of row 0 onwards that lie inside all rows. The group must
 * have a row for each slot. Returns the offset in row 0 at which the last of these blocks ends. */
ALWAYS_INLINE ptrdiff_t unfilter_inner(const Group *group, Wave *wave, ptrdiff_t at, int pixel,
                                       int slot, bool paeth)
{
    const int rows = V_LANES * V_LANE / slot, bytes = V_LANE / slot * pixel;
    const Masks masks = group->masks;
    Wave local = *wave;
    for (; at + V_LANE <= group->width; at += bytes) {
        Block block;
        UNROLL for (int r = 0; r < rows; r++)
        {
            block.filtered[r] = group->filtered[r] + place(r, at, pixel, slot);
            block.rows[r] = group->rows[r] + place(r, at, pixel, slot);
        }
        block.above = group->above != NULL ? group->above + at : zeros;
        unfilter_block(&masks, &local, &block, NULL, pixel, slot, paeth);
    }
    *wave = local;
    return at;
}

ALWAYS_INLINE ptrdiff_t clamp(ptrdiff_t value, ptrdiff_t low, ptrdiff_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* Copies `n` pixels of `pixel` bytes each, except those that lie outside the row. The row has
 * `width` bytes, and the first of the pixels is at offset `here` of the row. */
ALWAYS_INLINE void copy_pixels(uint8_t *dst, const uint8_t *src, ptrdiff_t here, ptrdiff_t width,
                               int pixel, int n)
{
    for (int i = 0; i < n; i++, here += pixel, dst += pixel, src += pixel)
        if (here >= 0 && here < width)
            memcpy(dst, src, (size_t)pixel);
}

/* Unfilters a block that lies partly outside some rows. For these rows it works on copies of the
 * pixels that lie inside the row. */
ALWAYS_INLINE void unfilter_outer(const Group *group, Wave *wave, ptrdiff_t at, int pixel, int slot)
{
    const int n = V_LANE / slot, rows = V_LANES * n, bytes = n * pixel;
    uint8_t copy[V_LANES * V_LANE][V_LANE];
    Block block;
    for (int r = 0; r < rows; r++) {
        ptrdiff_t here = place(r, at, pixel, slot);
        memset(copy[r], 0, V_LANE);
        block.filtered[r] = block.rows[r] = copy[r];
        if (r >= group->count || here + bytes <= 0 || here >= group->width)
            continue;
        if (here >= 0 && here + V_LANE <= group->width) {
            block.filtered[r] = group->filtered[r] + here;
            block.rows[r] = group->rows[r] + here;
        } else {
            copy_pixels(copy[r], group->filtered[r] + here, here, group->width, pixel, n);
        }
    }
    uint8_t above[V_LANE] = {0};
    block.above = above;
    if (group->above != NULL && at < group->width)
        copy_pixels(above, group->above + at, at, group->width, pixel, n);

    vu8 active[MOST_SLOTS];
    for (int step = 0; step < n; step++) {
        uint8_t slots[V_LANES * V_LANE];
        for (int lane = 0; lane < V_LANES; lane++) {
            ptrdiff_t begun = clamp(at / pixel - (ptrdiff_t)LAG * n * lane + step + 1, 0, n);
            memcpy(slots + (ptrdiff_t)lane * V_LANE, ones_then_zeros + V_LANE - begun * slot,
                   V_LANE);
        }
        active[step] = load_u8(slots);
    }
    unfilter_block(&group->masks, wave, &block, active, pixel, slot, true);

    for (int r = 0; r < group->count; r++) {
        ptrdiff_t here = place(r, at, pixel, slot);
        if (block.rows[r] == copy[r] && here + bytes > 0 && here < group->width)
            copy_pixels(group->rows[r] + here, copy[r], here, group->width, pixel, n);
    }
}

/* Unfilters all columns of a group, from left to right: blocks that begin before the start of some
 * rows (unfilter_outer), blocks inside all rows (unfilter_inner), and blocks that extend beyond the
 * end of some rows (unfilter_outer). If the group has fewer rows than there are slots,
 * unfilter_outer unfilters all blocks. The loop calls unfilter_outer in only one place, because the
 * function is inlined and large. */
ALWAYS_INLINE void unfilter_group(const Group *group, Wave *wave, int pixel, int slot)
{
    const int n = V_LANE / slot, bytes = n * pixel, last = group->count - 1;
    ptrdiff_t end = LAG * (last / n) * bytes + group->width + (last % n) * pixel;
    ptrdiff_t begin = group->count == V_LANES * n ? (LAG * (V_LANES - 1) + 1) * bytes : end;
    bool inner = true; /* true until the blocks that lie inside all rows are unfiltered */
    for (ptrdiff_t at = 0; at < end; at += bytes) {
        if (inner && at >= begin) {
            at = group->paeth ? unfilter_inner(group, wave, at, pixel, slot, true)
                              : unfilter_inner(group, wave, at, pixel, slot, false);
            inner = false;
            if (at >= end)
                return;
        }
        unfilter_outer(group, wave, at, pixel, slot);
    }
}

enum {
    SUB = 1 << IMG_FILTER_SUB,
    UP = 1 << IMG_FILTER_UP,
    AVERAGE = 1 << IMG_FILTER_AVERAGE,
    PAETH = 1 << IMG_FILTER_PAETH,
};

/* Unfilters rows that all have type None or Up. They do not depend on left neighbours, so each row
 * is processed alone. */
static void unfilter_upwards(const ImgUnfilter *unfilter, size_t from, size_t to)
{
    const uint8_t *above = unfilter->above;
    for (int32_t r = 0; r < unfilter->count; r++) {
        const uint8_t *filtered = unfilter->filtered + (size_t)r * (1 + unfilter->row_bytes);
        uint8_t *row = unfilter->rows + (size_t)r * unfilter->stride;
        size_t i = from;
        if (filtered[0] == IMG_FILTER_UP && above != NULL) {
            for (; i + sizeof(vu8) <= to; i += sizeof(vu8))
                store_u8(row + i, load_u8(filtered + 1 + i) + load_u8(above + i));
            for (; i < to; i++)
                row[i] = (uint8_t)(filtered[1 + i] + above[i]);
        } else if (row != filtered + 1) {
            // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): a picture has rows
            memcpy(row + from, filtered + 1 + from, to - from);
        }
        above = row;
    }
}

/* Returns a vector with all ones in the slots of the rows whose filter type has a bit in
 * `types`. */
ALWAYS_INLINE vu8 slots_of(const ImgUnfilter *rows, unsigned types, int slot)
{
    uint8_t bytes[V_LANES * V_LANE] = {0};
    for (int32_t r = 0; r < rows->count; r++) {
        bool has = types >> rows->filtered[(size_t)r * (1 + rows->row_bytes)] & 1;
        memset(bytes + (ptrdiff_t)r * slot, has ? 255 : 0, (size_t)slot);
    }
    return load_u8(bytes);
}

/* Unfilters the bytes `from` to `to` - 1 of all rows together. There may be at most as many rows as
 * a vector has slots. */
ALWAYS_INLINE void unfilter_rows(const ImgUnfilter *unfilter, size_t from, size_t to, int pixel,
                                 int slot)
{
    uint8_t last[V_LANES * V_LANE] = {0}, corner[V_LANES * V_LANE] = {0};
    unsigned types = 0;
    Group group = {.width = (ptrdiff_t)(to - from), .count = unfilter->count};
    if (unfilter->above != NULL) {
        group.above = unfilter->above + from;
        if (from > 0)
            memcpy(corner, group.above - pixel, (size_t)pixel);
    }
    for (int32_t r = 0; r < unfilter->count; r++) {
        const uint8_t *filtered = unfilter->filtered + (size_t)r * (1 + unfilter->row_bytes);
        types |= 1U << filtered[0];
        group.filtered[r] = filtered + 1 + from;
        group.rows[r] = unfilter->rows + (size_t)r * unfilter->stride + from;
        if (from > 0)
            memcpy(last + (ptrdiff_t)r * slot, group.rows[r] - pixel, (size_t)pixel);
    }
    if ((types & (SUB | AVERAGE | PAETH)) == 0) {
        unfilter_upwards(unfilter, from, to);
        return;
    }
    group.paeth = (types & PAETH) != 0;
    group.masks = (Masks){.left = slots_of(unfilter, SUB | AVERAGE | PAETH, slot),
                          .up = slots_of(unfilter, UP | AVERAGE | PAETH, slot),
                          .corner = slots_of(unfilter, PAETH, slot),
                          .average = slots_of(unfilter, AVERAGE, slot)};
    Wave wave = {.pixels = load_u8(last), .above = load_u8(corner)};
    unfilter_group(&group, &wave, pixel, slot);
}

#define DEFINE_UNFILTER_ROWS(PIXEL, SLOT)                                                          \
    static void unfilter_rows##PIXEL(const ImgUnfilter *unfilter, size_t from, size_t to)          \
    {                                                                                              \
        unfilter_rows(unfilter, from, to, PIXEL, SLOT);                                            \
    }

DEFINE_UNFILTER_ROWS(1, 1)
DEFINE_UNFILTER_ROWS(2, 2)
DEFINE_UNFILTER_ROWS(3, 4)
DEFINE_UNFILTER_ROWS(4, 4)
DEFINE_UNFILTER_ROWS(6, 8)
DEFINE_UNFILTER_ROWS(8, 8)

void IMG_VARIANT(img_unfilter)(const ImgUnfilter *unfilter, size_t from, size_t to)
{
    static const struct {
        int32_t rows;
        ImgUnfilterLoops *unfilter_rows;
    } LOOPS[] = {
        [1] = {V_LANES * V_LANE, unfilter_rows1},     [2] = {V_LANES * V_LANE / 2, unfilter_rows2},
        [3] = {V_LANES * V_LANE / 4, unfilter_rows3}, [4] = {V_LANES * V_LANE / 4, unfilter_rows4},
        [6] = {V_LANES * V_LANE / 8, unfilter_rows6}, [8] = {V_LANES * V_LANE / 8, unfilter_rows8},
    };
    const int32_t most = LOOPS[unfilter->pixel].rows;
    ImgUnfilter rows = *unfilter;
    for (int32_t y = 0; y < unfilter->count; y += rows.count) {
        rows.count = unfilter->count - y < most ? unfilter->count - y : most;
        // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): pixels have one of these sizes
        LOOPS[unfilter->pixel].unfilter_rows(&rows, from, to);
        rows.filtered += (size_t)rows.count * (1 + rows.row_bytes);
        rows.rows += (size_t)rows.count * rows.stride;
        rows.above = rows.rows - rows.stride;
    }
}
