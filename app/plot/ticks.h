/* Chooses round numbers for axes and writes them as text. Draws nothing. */
#ifndef IMGTOOL_APP_PLOT_TICKS_H
#define IMGTOOL_APP_PLOT_TICKS_H

#include <stdint.h>

enum { PLOT_NUMBER_SIZE = 32, PLOT_SAMPLE_TICKS = 16 };

/* Returns the smallest step that is at least `least` and divides `top` into at most `most` parts.
 * Steps are 1, 2 or 5 times a power of ten. `top` and `least` must be greater than 0. Source:
 * Heckbert, "Nice numbers for graph labels", Graphics Gems, 1990. */
double plot_step(double top, int most, double least);

/* Chooses the sample values to mark on an axis from 0 to `maximum`, and returns their number. If
 * there are at most 16 sample values, it chooses all. For 2^n values it chooses quarters, which
 * photographers know, such as 0, 64, 128, 192 and 255. Otherwise it chooses round decimal numbers
 * and the maximum. */
int plot_sample_ticks(uint32_t maximum, uint32_t values[PLOT_SAMPLE_TICKS]);

/* Writes a number, for example "0", "950", "20 k", "2.5 M" or "1 G". Returns `text`. */
const char *plot_number_text(double value, char text[PLOT_NUMBER_SIZE]);

/* Writes all digits of a number, for example "1,234,567". Returns `text`. */
const char *plot_exact_text(uint64_t value, char text[PLOT_NUMBER_SIZE]);

/* Writes `part` as a percentage of `whole`, for example "< 0.01 %", "3.41 %" or "12.3 %". The text
 * is "0 %" only if `part` is 0, and "100 %" only if it equals `whole`. Returns `text`. */
const char *plot_share_text(uint64_t part, uint64_t whole, char text[PLOT_NUMBER_SIZE]);

#endif
