/* Exact parser for decimal numbers in text files, such as tables and convolution kernels. It does
 * not depend on the locale. */
#ifndef IMGTOOL_KERNELS_CORE_FIXED_DECIMAL_H
#define IMGTOOL_KERNELS_CORE_FIXED_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

enum { IMG_DECIMAL_UNIT = 1000000000 };

/* Reads a number such as "-1", ".5", "1." or "9.8e-05" at *at. Sets *billionths to its value in
 * billionths, rounded to nearest and clamped to a billion in size. A space, a tab or `end` must
 * follow the number. Moves *at past the number. Returns false, with *at unchanged, if there is no
 * number. */
bool img_decimal_read(const char **at, const char *end, int64_t *billionths);

#endif
