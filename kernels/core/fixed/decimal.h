/* Decimal numbers of text files, as tables and kernels: exact, whatever the locale. */
#ifndef IMGTOOL_KERNELS_CORE_FIXED_DECIMAL_H
#define IMGTOOL_KERNELS_CORE_FIXED_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

enum { IMG_DECIMAL_UNIT = 1000000000 };

/* Reads a number, "-1", ".5", "1.", "9.8e-05", that a space, a tab or `end` follows, as billionths,
 * rounded to nearest; beyond a billion it is a billion. *at moves past it. False, and *at stays,
 * where there is none. */
bool img_decimal_read(const char **at, const char *end, int64_t *billionths);

#endif
