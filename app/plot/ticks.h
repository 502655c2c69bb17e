/* Round numbers for axes, and their texts. No drawing here. */
#ifndef IMGTOOL_APP_PLOT_TICKS_H
#define IMGTOOL_APP_PLOT_TICKS_H

#include <stdint.h>

enum { PLOT_NUMBER_SIZE = 32, PLOT_SAMPLE_TICKS = 16 };

/* Returns the smallest step of 1, 2 or 5 times a power of ten that is at least `least` and divides
 * `top` into at most `most` parts. `top` and `least` are above 0. Heckbert, "Nice numbers for graph
 * labels", Graphics Gems, 1990, has the same steps. */
double plot_step(double top, int most, double least);

/* Chooses sample values to mark on an axis from 0 to `maximum`: all if there are at most 16,
 * quarters if there are 2^n values (0, 64, 128, 192, 255, which photographers know), otherwise
 * round decimal numbers and the maximum. Returns their number. */
int plot_sample_ticks(uint32_t maximum, uint32_t values[PLOT_SAMPLE_TICKS]);

/* Writes "0", "950", "20 k", "2.5 M" or "1 G"; returns `text`. */
const char *plot_number_text(double value, char text[PLOT_NUMBER_SIZE]);

/* Writes "1,234,567"; returns `text`. */
const char *plot_exact_text(uint64_t value, char text[PLOT_NUMBER_SIZE]);

/* Writes a part of a whole: "0 %", "< 0.01 %", "3.41 %", "12.3 %", "100 %"; returns `text`. Only
 * exactly nothing or everything is written as 0 % or 100 %. */
const char *plot_share_text(uint64_t part, uint64_t whole, char text[PLOT_NUMBER_SIZE]);

#endif
