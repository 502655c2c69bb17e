/* Exact parser for decimal numbers in text files, such as tables and convolution kernels. It does
 * not depend on the locale. */
#ifndef IMGTOOL_KERNELS_CORE_FIXED_DECIMAL_H
#define IMGTOOL_KERNELS_CORE_FIXED_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

enum { IMG_DECIMAL_UNIT = 1000000000 };

/* Reads a number such as "-1", ".5", "1." or "9.8e-05" at *at. Sets *billionths to the number in
 * units of 10^-9, rounded to nearest. Numbers outside the range from -10^9 to 10^9 are clamped to
 * it. A space, a tab or `end` must follow the number. Moves *at past the number. Returns false,
 * with *at unchanged, if there is no number. */
bool img_decimal_read(const char **at, const char *end, int64_t *billionths);

#endif
