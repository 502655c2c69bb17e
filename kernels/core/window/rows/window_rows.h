/* Private: operations on neighbourhoods, applied to rows on the CPU. window_rows_source.h is
 * compiled once for each variant. Rows need no alignment. Nothing past `count` samples is read or
 * written. */
#ifndef IMGTOOL_KERNELS_CORE_WINDOW_ROWS_WINDOW_ROWS_H
#define IMGTOOL_KERNELS_CORE_WINDOW_ROWS_WINDOW_ROWS_H

#include "kernels/core/window/lift.h"
#include "kernels/core/window/unsharp.h"

/* Rows with a weight each. The result is (offset + sum of weight * sample + half) >> shift,
 * saturated to 16 bits. The caller guarantees that sums fit 32 bits, including partial sums of the
 * first rows. */
typedef struct ImgTaps {
    const void *const *rows;
    const int16_t *weights; /* of pairs of rows; a missing second row has weight 0 */
    int32_t count, shift;   /* an even count; a shift of at least 1 */
    int32_t offset;
} ImgTaps;

typedef struct ImgWindowRows {
    /* Weigh samples of 8 bits as they are, of 16 bits less 32768, and lifted ones. */
    void (*weigh_bytes)(const ImgTaps *taps, int16_t *to, size_t count);
    void (*weigh_words)(const ImgTaps *taps, int16_t *to, size_t count);
    void (*weigh_lifted)(const ImgTaps *taps, int16_t *to, size_t count);
    /* Convert pixels to lifted ones and back. */
    void (*lift)(const ImgLift *lift, const uint8_t *from, int16_t *to, int32_t width);
    void (*lower)(const ImgLift *lift, const int16_t *from, uint8_t *to, int32_t width);
    /* Replaces `blurred` by the sharpened samples. */
    void (*unsharp)(const ImgUnsharp *mask, const int16_t *lifted, int16_t *blurred, size_t count);
} ImgWindowRows;

extern const ImgWindowRows img_window_rows_portable, img_window_rows_neon;
extern const ImgWindowRows img_window_rows_avx2, img_window_rows_avx512;

#endif
