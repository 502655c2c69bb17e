/* Decimal numbers as text and as whole multiples of a tenth, a hundredth, ...: exact. */
#ifndef IMGTOOL_KERNELS_CORE_PARAMS_FIXED_H
#define IMGTOOL_KERNELS_CORE_PARAMS_FIXED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More digits before the point than any number of a parameter needs: what a value takes as text is
 * bounded. */
enum { IMG_FIXED_DIGITS = 12, IMG_FIXED_PLACES = 6, IMG_FIXED_TEXT = 32 };

/* Reads all of `length` characters: '-' or nothing, 1 to IMG_FIXED_DIGITS digits and, after a
 * point, 1 to `places` (at most IMG_FIXED_PLACES) more. With two places "-1.5" is -150. False, and
 * *value unchanged, where the text is anything else. */
bool img_fixed_parse(const char *text, size_t length, int places, int64_t *value);

/* Writes it so that img_fixed_parse reads the same: "-1.5", without zeros that say nothing. `text`
 * has IMG_FIXED_TEXT bytes. */
void img_fixed_print(int64_t value, int places, char *text);

#endif
