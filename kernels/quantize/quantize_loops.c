/* Inner loops of quantize. This file is compiled once for each instruction set
 * (core/parallel/cpu.h). */
#include "kernels/core/parallel/cpu.h"
#include "kernels/quantize/quantize_rows.h"
#include "kernels/simd/simd.h"

/* Distances times 256 are compared as signed numbers, so their highest bit is inverted. */
static const uint32_t SIGN = UINT32_C(1) << 31;

static inline vi32 distances(vi16 low, vi16 high, vi16 entry_low, vi16 entry_high)
{
    const vi16 a = low - entry_low, b = high - entry_high;
    return dot_i16(a, a) + dot_i16(b, b);
}

static inline vi32 all_pairs(const int16_t pair[2])
{
    int32_t both;
    memcpy(&both, pair, sizeof both);
    return all_i32(both);
}

static void nearest(const ImgColorPoints *points, size_t count, const ImgColorEntries *entries,
                    uint32_t *found)
{
    size_t i = 0;
    for (; i + V_LONGS <= count; i += V_LONGS) {
        const vi16 low = load_i16(points->low[i]), high = load_i16(points->high[i]);
        vi32 best = all_i32(INT32_MAX);
        for (int32_t k = 0; k < entries->count; k++) {
            const vi32 distance = distances(low, high, (vi16)all_pairs(entries->low[k]),
                                            (vi16)all_pairs(entries->high[k]));
            const vu32 key = ((vu32)distance << 8) + ((uint32_t)k ^ SIGN);
            best = min_i32(best, (vi32)key);
        }
        store_u32(found + i, (vu32)best ^ all_u32(SIGN));
    }
    const ImgColorPoints rest = {points->low + i, points->high + i};
    img_nearest_plain(&rest, count - i, entries, found + i);
}

/* --- One point -------------------------------------------------------------------------------- */

typedef int32_t Four __attribute__((vector_size(16)));
typedef int16_t FourShort __attribute__((vector_size(8)));

static inline Four lower(Four a, Four b)
{
    const Four is_lower = a < b;
    return (a & is_lower) | (b & ~is_lower);
}

static inline uint32_t lowest(vi32 v)
{
    int32_t all[V_LONGS];
    Four best, next;
    store_i32(all, v);
    memcpy(&best, all, sizeof best);
    for (int i = 4; i < V_LONGS; i += 4) {
        memcpy(&next, all + i, sizeof next);
        best = lower(best, next);
    }
    const int32_t first = best[0] < best[1] ? best[0] : best[1];
    const int32_t second = best[2] < best[3] ? best[2] : best[3];
    return (uint32_t)(first < second ? first : second) ^ SIGN;
}

static uint32_t nearest_of_all(const ImgColorEntries *entries, vi16 low, vi16 high)
{
    vi32 best = all_i32(INT32_MAX);
    vu32 index;
    uint32_t first[V_LONGS];
    for (uint32_t i = 0; i < V_LONGS; i++)
        first[i] = i ^ SIGN;
    index = load_u32(first);
    for (int32_t k = 0; k < entries->count; k += V_LONGS, index += V_LONGS) {
        const vi32 distance =
            distances(low, high, load_i16(entries->low[k]), load_i16(entries->high[k]));
        best = min_i32(best, (vi32)(((vu32)distance << 8) + index));
    }
    return lowest(best) & 255;
}

static inline uint32_t nearest_of(const ImgCandidates *blocks, uint32_t count, vi16 low, vi16 high)
{
    vi32 best = all_i32(INT32_MAX);
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < IMG_CANDIDATES_STEP; k += V_LONGS) {
            const vi32 distance =
                distances(low, high, load_i16(blocks[i].low[k]), load_i16(blocks[i].high[k]));
            const vu32 index = load_u32(blocks[i].index + k) ^ all_u32(SIGN);
            best = min_i32(best, (vi32)(((vu32)distance << 8) + index));
        }
    return lowest(best) & 255;
}

/* Returns the index of the nearest entry. */
static inline uint32_t search(ImgCandidateLists *lists, Four point)
{
    const Four from = {-IMG_CUBES_FROM, -IMG_CUBES_FROM, -IMG_CUBES_FROM, -IMG_CUBES_ALPHA_FROM};
    const Four cube = (point + from) >> IMG_CUBE_BITS;
    const int32_t number =
        ((cube[0] * IMG_CUBES_COLOR + cube[1]) * IMG_CUBES_COLOR + cube[2]) * IMG_CUBES_ALPHA +
        cube[3];
    const FourShort pairs = __builtin_convertvector(point, FourShort);
    int32_t both[2];
    memcpy(both, &pairs, sizeof both);
    const vi16 low = (vi16)all_i32(both[0]), high = (vi16)all_i32(both[1]);
    uint32_t list = lists->cubes != NULL ? lists->cubes[number] : 0;
    if (list == 0 && lists->cubes != NULL)
        list = img_candidates_find(lists, (uint32_t)number);
    if (list == 0)
        return nearest_of_all(lists->entries, low, high);
    return nearest_of(lists->blocks + (list >> 8), list & 255, low, high);
}

static inline Four point_of(uint32_t pixel)
{
    return (Four){img_color_coordinate(pixel, 0), img_color_coordinate(pixel, 1),
                  img_color_coordinate(pixel, 2), img_alpha_coordinate(img_channel(pixel, 3))};
}

/* --- Rows ------------------------------------------------------------------------------------- */

static void map(ImgCandidateLists *lists, const uint32_t *pixels, int32_t width, uint8_t *indices)
{
    for (int32_t x = 0; x < width; x++)
        indices[x] = x > 0 && pixels[x] == pixels[x - 1]
                         ? indices[x - 1]
                         : (uint8_t)search(lists, point_of(pixels[x]));
}

static void order(ImgCandidateLists *lists, const ImgQuantizeConstants *own, const uint32_t *pixels,
                  int32_t y, int32_t width, uint8_t *indices)
{
    enum { PERIOD = 8 };
    int32_t thresholds[PERIOD];
    for (int32_t x = 0; x < PERIOD; x++)
        thresholds[x] = img_dither_threshold(x, y);
    for (int32_t x = 0; x < width; x++) {
        const int32_t offset = img_dither_offset(
            thresholds[x % PERIOD], own->amplitudes[indices[x]], img_channel(pixels[x], 3));
        indices[x] =
            (uint8_t)search(lists, point_of(pixels[x]) + (Four){offset, offset, offset, 0});
    }
}

static inline Four load_errors(const ImgColorErrors *errors)
{
    Four four;
    memcpy(&four, errors, sizeof four);
    return four;
}

static inline Four clamped(Four errors)
{
    const Four most = (Four){0} + IMG_ERROR_MOST;
    Four over = errors > most;
    errors = (errors & ~over) | (most & over);
    over = errors < -most;
    return (errors & ~over) | (-most & over);
}

static inline bool takes_none(Four share)
{
    uint64_t halves[2];
    memcpy(halves, &share, sizeof halves);
    return (halves[0] | halves[1]) == 0;
}

static void dither(ImgCandidateLists *lists, const ImgDitherRow *row, int32_t from, int32_t end)
{
    Four left = load_errors(row->errors + from - 1);
    int32_t clean = -1; /* the last pixel that takes no errors */
    for (int32_t x = from; x < end; x++) {
        const ImgColorErrors *above = row->above + x;
        const Four sum =
            7 * left + load_errors(above - 1) + 5 * load_errors(above) + 3 * load_errors(above + 1);
        const Four share = (sum * row->strengths[x] + 128) >> 8;
        if (takes_none(share)) {
            /* Areas of one colour that is in the palette need one search. */
            if (clean >= 0 && row->pixels[x] == row->pixels[clean]) {
                row->indices[x] = row->indices[clean];
                row->errors[x] = row->errors[clean];
                left = load_errors(row->errors + x);
                continue;
            }
            clean = x;
        }
        const Four point = point_of(row->pixels[x]) + share;
        const uint32_t index = search(lists, point);
        left = clamped(point - load_errors(lists->points + index));
        memcpy(row->errors + x, &left, sizeof left);
        row->indices[x] = (uint8_t)index;
    }
}

static uint8_t strength_at(const uint32_t *above, const uint32_t *at, const uint32_t *below,
                           int32_t x, int32_t width)
{
    const uint32_t around[4] = {at[x > 0 ? x - 1 : x], at[x + 1 < width ? x + 1 : x], above[x],
                                below[x]};
    int32_t largest = 0;
    for (int i = 0; i < 4; i++) {
        const int32_t difference = img_pixel_difference(at[x], around[i]);
        largest = difference > largest ? difference : largest;
    }
    return (uint8_t)img_dither_strength(largest, img_channel(at[x], 3));
}

static inline vu8 difference(vu8 a, vu8 b)
{
    return max_u8(a, b) - min_u8(a, b);
}

/* Computes img_dither_strength for V_LONGS pixels that have neighbours on both sides. */
static inline void strengths_inside(const uint32_t *above, const uint32_t *at,
                                    const uint32_t *below, uint8_t *to)
{
    const vu8 here = load_u8(at);
    const vu8 across = max_u8(difference(here, load_u8(at - 1)), difference(here, load_u8(at + 1)));
    const vu8 down = max_u8(difference(here, load_u8(above)), difference(here, load_u8(below)));
    vu8 largest = max_u8(across, down);
    largest = max_u8(largest, (vu8)((vu32)largest >> 16));
    largest = max_u8(largest, (vu8)((vu32)largest >> 8));
    const vi32 falling = IMG_STRENGTH_FLAT + IMG_FLAT_MOST - (vi32)((vu32)largest & 255);
    const vi32 strength =
        min_i32(max_i32(falling, all_i32(IMG_STRENGTH_BUSY)), all_i32(IMG_STRENGTH_FLAT));
    int32_t all[V_LONGS];
    store_i32(all, strength & (((vu32)here >> 24) != 0));
    for (int i = 0; i < V_LONGS; i++)
        to[i] = (uint8_t)all[i];
}

static void strengths(const uint32_t *above, const uint32_t *at, const uint32_t *below,
                      int32_t width, uint8_t *to)
{
    int32_t x = 1;
    to[0] = strength_at(above, at, below, 0, width);
    for (; x + V_LONGS < width; x += V_LONGS)
        strengths_inside(above + x, at + x, below + x, to + x);
    for (; x < width; x++)
        to[x] = strength_at(above, at, below, x, width);
}

const ImgQuantizeRows IMG_VARIANT(img_quantize_rows) = {nearest, map, order, dither, strengths};
