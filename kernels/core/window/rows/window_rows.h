/* Private: what operations on surroundings do to rows on the CPU, in the variants that are compiled
 * of the same source, window_rows_source.h. Rows need no alignment; nothing past `count` samples
 * is read or written. */
#ifndef IMGTOOL_KERNELS_CORE_WINDOW_ROWS_WINDOW_ROWS_H
#define IMGTOOL_KERNELS_CORE_WINDOW_ROWS_WINDOW_ROWS_H

#include "kernels/core/window/lift.h"
#include "kernels/core/window/unsharp.h"

/* Rows with a weight each: (offset + sum of weight * sample + half) >> shift, and no more or less
 * than 16 bits can hold. Sums fit 32 bits, also those of the first rows alone: that is the caller's
 * to see to. */
typedef struct ImgTaps {
    const void *const *rows;
    const int16_t *weights; /* the weight of a missing second of a pair is 0 */
    int32_t count, shift;   /* an even count; a shift of at least 1 */
    int32_t offset;
} ImgTaps;

typedef struct ImgWindowRows {
    /* Of samples of 8 bits as they are; of 16 bits less 32768; of lifted ones. */
    void (*weigh_bytes)(const ImgTaps *taps, int16_t *to, size_t count);
    void (*weigh_words)(const ImgTaps *taps, int16_t *to, size_t count);
    void (*weigh_lifted)(const ImgTaps *taps, int16_t *to, size_t count);
    /* Pixels to lifted ones and back. */
    void (*lift)(const ImgLift *lift, const uint8_t *from, int16_t *to, int32_t width);
    void (*lower)(const ImgLift *lift, const int16_t *from, uint8_t *to, int32_t width);
    /* In place of what is blurred. */
    void (*unsharp)(const ImgUnsharp *mask, const int16_t *lifted, int16_t *blurred, size_t count);
} ImgWindowRows;

extern const ImgWindowRows img_window_rows_portable, img_window_rows_neon;
extern const ImgWindowRows img_window_rows_avx2, img_window_rows_avx512;

#endif
