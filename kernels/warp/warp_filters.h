/* Included by warp_loops.c: the filters of warp_rows.h, and lifting of RGB pixels.
 *
 * A lane holds two neighbouring pixels of a row, of four samples each. Sums are computed first over
 * the rows of a window, and then over its columns. */
#ifndef IMGTOOL_KERNELS_WARP_WARP_FILTERS_H
#define IMGTOOL_KERNELS_WARP_WARP_FILTERS_H

#include "kernels/simd/simd.h"
#include "kernels/warp/warp_rows.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum { ROUND = 1 << (IMG_WARP_WEIGHT_PLACES - 1) };

/* Copies the first `count` points, and repeats the last one until `to` has `wanted` points. */
static inline void repeat_point(const ImgWarpPoint *points, int32_t count, int32_t wanted,
                                ImgWarpPoint *to)
{
    for (int32_t i = 0; i < wanted; i++)
        to[i] = points[i < count ? i : count - 1];
}

/* --- Bilinear --------------------------------------------------------------------------------- */

/* Computes as many pixels as a vector has lanes, and stores them. */
ALWAYS_INLINE void bilinear_pixels(const ImgWarp *warp, const int16_t *tile, size_t pitch,
                                   const ImgWarpPoint *points, int16_t *to)
{
    const uint8_t *upper[V_LANES], *lower[V_LANES];
    const int16_t *down[V_LANES], *across[V_LANES];
    for (int i = 0; i < V_LANES; i++) {
        upper[i] = (const uint8_t *)(tile + points[i].at);
        lower[i] = (const uint8_t *)(tile + points[i].at + pitch);
        down[i] = warp->weights[points[i].down];
        across[i] = warp->weights[points[i].across];
    }
    const VPairs rows = pairs_of((vi16)load_lanes_at(upper), (vi16)load_lanes_at(lower));
    const VSums sums = sums_add(sums_all(ROUND), rows, pairs_of_lanes(down));
    const vi16 columns =
        pack_i32(sums.low >> IMG_WARP_WEIGHT_PLACES, sums.high >> IMG_WARP_WEIGHT_PLACES);
    const vi32 pixels =
        (dot_halves(columns, repeat_pairs(across)) + ROUND) >> IMG_WARP_WEIGHT_PLACES;
    store_half(to, (vu8)narrow_i32(pixels, pixels));
}

static void bilinear(const ImgWarp *warp, const int16_t *tile, size_t pitch,
                     const ImgWarpPoint *points, int32_t count, int16_t *to)
{
    int32_t x = 0;
    for (; x + V_LANES <= count; x += V_LANES)
        bilinear_pixels(warp, tile, pitch, points + x, to + (size_t)x * IMG_WARP_LANES);
    if (x < count) {
        ImgWarpPoint last[V_LANES];
        repeat_point(points + x, count - x, V_LANES, last);
        bilinear_pixels(warp, tile, pitch, last, to + (size_t)x * IMG_WARP_LANES);
    }
}

/* --- Bicubic and Lanczos ---------------------------------------------------------------------- */

/* WINDOWS pixels are computed together. A vector holds COLUMNS columns of each of their windows. */
enum { WINDOWS = V_LANES > 2 ? V_LANES / 2 : 1, COLUMNS = 2 * V_LANES / WINDOWS };

/* Window of a pixel: position of its first sample, and its vertical and horizontal weights. */
typedef struct Window {
    const int16_t *at, *down, *across;
} Window;

ALWAYS_INLINE vi16 load_columns(const Window windows[WINDOWS], size_t at)
{
    if (WINDOWS == 1)
        return load_i16(windows[0].at + at);
    return (vi16)load_halves(windows[0].at + at, windows[WINDOWS - 1].at + at);
}

ALWAYS_INLINE VPairs pairs_down(const Window windows[WINDOWS], size_t k)
{
    if (WINDOWS == 1)
        return load_pair(windows[0].down + k);
    return pairs_of_halves(windows[0].down + k, windows[WINDOWS - 1].down + k);
}

ALWAYS_INLINE vi16 pairs_across(const Window windows[WINDOWS], size_t k)
{
    enum { LANES = COLUMNS / 2 };
    const int16_t *pairs[V_LANES];
    for (int i = 0; i < V_LANES; i++)
        pairs[i] = windows[i / LANES].across + k + (size_t)(i % LANES) * 2;
    return repeat_pairs(pairs);
}

/* Returns the sums of COLUMNS columns of each window, weighted down and across. Column sums that
 * are `wide` need 17 bits and a sign; then half of each sum, rounded down, and its lowest bit are
 * weighted separately. Columns beyond the window have weights of 0. */
ALWAYS_INLINE vi32 sum_columns(const Window windows[WINDOWS], size_t first, size_t pitch,
                               size_t rows, bool wide)
{
    const size_t at = first * IMG_WARP_LANES;
    VSums sums = sums_all(ROUND);
    for (size_t k = 0; k < rows; k += 2)
        sums = sums_add(sums,
                        pairs_of(load_columns(windows, at + k * pitch),
                                 load_columns(windows, at + (k + 1) * pitch)),
                        pairs_down(windows, k));
    const vi32 low = sums.low >> IMG_WARP_WEIGHT_PLACES, high = sums.high >> IMG_WARP_WEIGHT_PLACES;
    const vi16 weights = pairs_across(windows, first);
    if (!wide)
        return dot_halves(pack_i32(low, high), weights);
    const vu32 halves = (vu32)dot_halves(pack_i32(low >> 1, high >> 1), weights);
    return (vi32)(halves << 1) + dot_halves(pack_i32(low & 1, high & 1), weights);
}

/* Computes the pixels of WINDOWS windows of taps x taps pixels. */
ALWAYS_INLINE void filter_windows(const Window windows[WINDOWS], size_t pitch, size_t taps,
                                  bool wide, int16_t *to)
{
    vi32 sums = sum_columns(windows, 0, pitch, taps, wide);
    for (size_t first = COLUMNS; first < taps; first += COLUMNS)
        sums += sum_columns(windows, first, pitch, taps, wide);
    if (V_LANES > 1)
        sums += (vi32)swap_lanes((vu8)sums);
    const vi32 rounded = (sums + ROUND) >> IMG_WARP_WEIGHT_PLACES;
    for (int i = 0; i < WINDOWS; i++)
        store_eight(to + (ptrdiff_t)i * IMG_WARP_LANES, (vu8)pack_i32(rounded, rounded), 2 * i);
}

ALWAYS_INLINE void filter_row(const ImgWarp *warp, const int16_t *tile, size_t pitch,
                              const ImgWarpPoint *points, int32_t count, int16_t *to, size_t taps,
                              bool wide)
{
    for (int32_t x = 0; x < count; x += WINDOWS, to += (size_t)WINDOWS * IMG_WARP_LANES) {
        Window windows[WINDOWS];
        for (int32_t i = 0; i < WINDOWS; i++) {
            const ImgWarpPoint *point = points + (x + i < count ? x + i : x);
            windows[i] = (Window){tile + point->at, warp->weights[point->down],
                                  warp->weights[point->across]};
        }
        filter_windows(windows, pitch, taps, wide, to);
    }
}

#define FILTER(name, taps)                                                                         \
    static void name(const ImgWarp *warp, const int16_t *tile, size_t pitch,                       \
                     const ImgWarpPoint *points, int32_t count, int16_t *to)                       \
    {                                                                                              \
        if (img_warp_is_wide(warp))                                                                \
            filter_row(warp, tile, pitch, points, count, to, taps, true);                          \
        else                                                                                       \
            filter_row(warp, tile, pitch, points, count, to, taps, false);                         \
    }

FILTER(bicubic, 4)
FILTER(lanczos3, 6)
FILTER(lanczos4, 8)

/* --- Lifting RGB pixels of 8 bits (window/lift.h) ---------------------------------------- */

/* Lifts pixels, two per lane: expands the 3 bytes of a pixel to four 16-bit samples. Returns the
 * number of lifted pixels. It leaves out the last pixels of the row, because a vector would extend
 * past their end. */
static inline int32_t lift_rgb_vectors(const uint8_t *from, int16_t *to, int32_t width)
{
    enum { NONE = 255, PIXELS = 2 * V_LANES, READ = 6 * (V_LANES - 1) + V_LANE };
    static const uint8_t apart[V_LANE] = {0, NONE, 1, NONE, 2, NONE, NONE, NONE,
                                          3, NONE, 4, NONE, 5, NONE, NONE, NONE};
    int32_t x = 0;
    for (; V_HAS_SHUFFLE && 3 * (width - x) >= READ; x += PIXELS) {
        const vu8 bytes = load_lanes(from + (size_t)x * 3, 6);
        store_u16(to + (size_t)x * IMG_WARP_LANES, (vu16)shuffle_bytes(bytes, repeat_lane(apart))
                                                       << IMG_LIFT_PLACES);
    }
    return x;
}

#endif
