/* Exact conversion between decimal text and integers in units such as tenths or hundredths. */
#ifndef IMGTOOL_KERNELS_CORE_PARAMS_FIXED_H
#define IMGTOOL_KERNELS_CORE_PARAMS_FIXED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Largest number of digits before the point, more than any parameter needs; largest number of
 * decimal places; bytes of a number as text. */
enum { IMG_FIXED_DIGITS = 12, IMG_FIXED_PLACES = 6, IMG_FIXED_TEXT = 32 };

/* Parses all `length` characters as a number: an optional '-', digits, an optional fraction of any
 * length, and an optional exponent. Examples are "-1.5", "0.123456789" and "1e-3". *value becomes
 * the number in units of 10^-places, for `places` up to IMG_FIXED_PLACES. Halves are rounded away
 * from zero: with two places "-1.505" is -151. With no places it must be an integer ("3", "3.0",
 * "3e2"), because rounding would change its meaning. Returns false, with *value unchanged, for
 * other text and for more than IMG_FIXED_DIGITS digits before the point. */
bool img_fixed_parse(const char *text, size_t length, int places, int64_t *value);

/* Writes a value in units of 10^-places without redundant zeros, such as "-1.5"; img_fixed_parse
 * reads it back. `text` has IMG_FIXED_TEXT bytes. */
void img_fixed_print(int64_t value, int places, char *text);

#endif
