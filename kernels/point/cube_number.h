/* Decimal numbers of look-up tables: exact, whatever the locale. */
#ifndef IMGTOOL_KERNELS_POINT_CUBE_NUMBER_H
#define IMGTOOL_KERNELS_POINT_CUBE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

enum { IMG_CUBE_UNIT = 1000000000 };

/* Reads a number, "-1", ".5", "1.", "9.8e-05", that a space, a tab or `end` follows, as billionths,
 * rounded to nearest; beyond a billion it is a billion. *at moves past it. False, and *at stays,
 * where there is none. */
bool img_cube_number(const char **at, const char *end, int64_t *billionths);

#endif
