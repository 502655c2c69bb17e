/* Chooses round numbers for axes and writes them as text. Draws nothing. */
#ifndef IMGTOOL_APP_PLOT_TICKS_H
#define IMGTOOL_APP_PLOT_TICKS_H

#include <stdint.h>

enum { PLOT_NUMBER_SIZE = 32, PLOT_SAMPLE_TICKS = 16 };

/* Returns the smallest step that divides `top` into at most `most` parts and is at least `least`.
 * Steps are 1, 2 or 5 times a power of ten. `top` and `least` are greater than 0. Source of the
 * steps: Heckbert, "Nice numbers for graph labels", Graphics Gems, 1990. */
double plot_step(double top, int most, double least);

/* Chooses sample values to mark on an axis from 0 to `maximum`, and returns their number. Up to 16
 * values it marks all. For 2^n values it marks quarters, which photographers know: 0, 64, 128, 192,
 * 255. Otherwise it marks round decimal numbers and the maximum. */
int plot_sample_ticks(uint32_t maximum, uint32_t values[PLOT_SAMPLE_TICKS]);

/* Writes a number, for example "0", "950", "20 k", "2.5 M" or "1 G". Returns `text`. */
const char *plot_number_text(double value, char text[PLOT_NUMBER_SIZE]);

/* Writes all digits of a number, for example "1,234,567". Returns `text`. */
const char *plot_exact_text(uint64_t value, char text[PLOT_NUMBER_SIZE]);

/* Writes a part of a whole, for example "0 %", "< 0.01 %", "3.41 %", "12.3 %" or "100 %". Only if
 * the part is exactly nothing or the whole, the text is "0 %" or "100 %". Returns `text`. */
const char *plot_share_text(uint64_t part, uint64_t whole, char text[PLOT_NUMBER_SIZE]);

#endif
