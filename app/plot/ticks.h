/* Round numbers for the axes of plots, and how they are written. No drawing here. */
#ifndef IMGTOOL_APP_PLOT_TICKS_H
#define IMGTOOL_APP_PLOT_TICKS_H

#include <stdint.h>

enum { PLOT_NUMBER_SIZE = 32, PLOT_SAMPLE_TICKS = 16 };

/* The smallest of 1, 2 and 5 times a power of ten that is at least `least` and goes into `top` no
 * more than `most` times. `top` and `least` above 0. (Heckbert, "Nice numbers for graph labels",
 * Graphics Gems, 1990, has the same steps.) */
double plot_step(double top, int most, double least);

/* Sample values to mark on an axis from 0 to `maximum`: each of up to 16, else the quarters as
 * photographers know them (0, 64, 128, 192, 255) where there are 2^n values, else round decimals
 * and the maximum. Returns how many there are. */
int plot_sample_ticks(uint32_t maximum, uint32_t values[PLOT_SAMPLE_TICKS]);

/* "0", "950", "20 k", "2.5 M", "1 G"; returns `text`. */
const char *plot_number_text(double value, char text[PLOT_NUMBER_SIZE]);

/* "1,234,567"; returns `text`. */
const char *plot_exact_text(uint64_t value, char text[PLOT_NUMBER_SIZE]);

/* A part of a whole: "0 %", "< 0.01 %", "3.41 %", "12.3 %", "100 %"; returns `text`. What is not
 * all, or not nothing, is never written as if it were. */
const char *plot_share_text(uint64_t part, uint64_t whole, char text[PLOT_NUMBER_SIZE]);

#endif
