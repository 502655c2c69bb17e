/* Private: functions for rows on the CPU, for operations that read the pixels around a pixel.
 * window_rows_source.h is compiled once for each variant. Rows need no alignment. Nothing past
 * `count` samples is read or written. */
#ifndef IMGTOOL_KERNELS_CORE_WINDOW_ROWS_WINDOW_ROWS_H
#define IMGTOOL_KERNELS_CORE_WINDOW_ROWS_WINDOW_ROWS_H

#include "kernels/core/window/lift.h"
#include "kernels/core/window/unsharp.h"

/* Rows, each with a weight. The result is (offset + sum of weight * sample + half) >> shift,
 * saturated to 16 bits. The caller must ensure that sums fit 32 bits, including partial sums of the
 * first rows. */
typedef struct ImgTaps {
    const void *const *rows;
    /* weights of pairs of rows; a second row that does not exist has weight 0 */
    const int16_t *weights;
    int32_t count, shift; /* `count` is even, and `shift` at least 1 */
    int32_t offset;
} ImgTaps;

typedef struct ImgWindowRows {
    /* Compute weighted sums of 8-bit samples as they are, of 16-bit samples less 32768, and of
     * lifted samples. */
    void (*weigh_bytes)(const ImgTaps *taps, int16_t *to, size_t count);
    void (*weigh_words)(const ImgTaps *taps, int16_t *to, size_t count);
    void (*weigh_lifted)(const ImgTaps *taps, int16_t *to, size_t count);
    /* Convert pixels to lifted ones, and lifted ones to pixels. */
    void (*lift)(const ImgLift *lift, const uint8_t *from, int16_t *to, int32_t width);
    void (*lower)(const ImgLift *lift, const int16_t *from, uint8_t *to, int32_t width);
    /* Replaces the samples in `blurred` by sharpened ones. */
    void (*unsharp)(const ImgUnsharp *mask, const int16_t *lifted, int16_t *blurred, size_t count);
} ImgWindowRows;

extern const ImgWindowRows img_window_rows_portable, img_window_rows_neon;
extern const ImgWindowRows img_window_rows_avx2, img_window_rows_avx512;

#endif
