/* Private: functions that process rows on the CPU, for operations that read the pixels around a
 * pixel. window_loops.c is compiled once for each processor level, as a variant. Rows need no
 * alignment. Nothing past `count` samples is read or written. A lifted sample is one in the signed
 * 16-bit form of lift.h. */
#ifndef IMGTOOL_KERNELS_WINDOW_WINDOW_ROWS_H
#define IMGTOOL_KERNELS_WINDOW_WINDOW_ROWS_H

#include "kernels/window/lift.h"

/* Rows with weights. At each position, the result is (offset + sum of weight * sample + half) >>
 * shift, saturated to 16 bits. The caller must ensure that sums fit 32 bits, including partial sums
 * of the first rows. */
typedef struct ImgTaps {
    const void *const *rows;
    /* one weight per row; rows are processed in pairs, so the caller completes an odd number by a
     * row of weight 0 */
    const int16_t *weights;
    /* number of rows, which is even; number of fractional bits of the weights, at least 1 */
    int32_t count, shift;
    int32_t offset;
} ImgTaps;

typedef struct ImgWindowRows {
    /* Compute weighted sums of rows: of unsigned 8-bit samples, of unsigned 16-bit samples minus
     * 32768, and of lifted (signed 16-bit) samples. */
    void (*weigh_bytes)(const ImgTaps *taps, int16_t *to, size_t count);
    void (*weigh_words)(const ImgTaps *taps, int16_t *to, size_t count);
    void (*weigh_lifted)(const ImgTaps *taps, int16_t *to, size_t count);
    /* Convert pixels to lifted (signed 16-bit) ones, and back. */
    void (*lift)(const ImgLift *lift, const uint8_t *from, int16_t *to, int32_t width);
    void (*lower)(const ImgLift *lift, const int16_t *from, uint8_t *to, int32_t width);
    /* Replaces the lifted samples in `blurred` by sharpened ones (img_unsharp). */
    void (*unsharp)(const ImgUnsharp *mask, const int16_t *lifted, int16_t *blurred, size_t count);
} ImgWindowRows;

extern const ImgWindowRows img_window_rows_portable;
extern const ImgWindowRows img_window_rows_avx2, img_window_rows_avx512;

#endif
