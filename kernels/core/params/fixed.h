/* Decimal numbers as text and as whole multiples of a tenth, a hundredth, ...: exact. */
#ifndef IMGTOOL_KERNELS_CORE_PARAMS_FIXED_H
#define IMGTOOL_KERNELS_CORE_PARAMS_FIXED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Digits before the point of the largest numbers: more than any parameter needs. */
enum { IMG_FIXED_DIGITS = 12, IMG_FIXED_PLACES = 6, IMG_FIXED_TEXT = 32 };

/* Reads all of `length` characters as programs print numbers: '-' or nothing, digits, a point and
 * any number of digits after it, 'e' and an exponent: "-1.5", "0.123456789", "1e-3". The value is
 * rounded to `places` (at most IMG_FIXED_PLACES) places, halves away from zero: with two places
 * "-1.505" is -151. With none it must be a whole number ("3", "3.0", "3e2"), as rounding would
 * change what it means. False, and *value unchanged, for any other text and for more than
 * IMG_FIXED_DIGITS digits before the point. */
bool img_fixed_parse(const char *text, size_t length, int places, int64_t *value);

/* Writes it so that img_fixed_parse reads the same: "-1.5", without zeros that say nothing. `text`
 * has IMG_FIXED_TEXT bytes. */
void img_fixed_print(int64_t value, int places, char *text);

#endif
