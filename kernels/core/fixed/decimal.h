/* Exact parser for the decimal numbers of text files (tables, kernels). It does not depend on the
 * locale. */
#ifndef IMGTOOL_KERNELS_CORE_FIXED_DECIMAL_H
#define IMGTOOL_KERNELS_CORE_FIXED_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

enum { IMG_DECIMAL_UNIT = 1000000000 };

/* Reads a number such as "-1", ".5", "1." or "9.8e-05" in billionths, rounded to nearest. After it
 * there must be a space, a tab or `end`. Values beyond a billion are clamped to a billion. Moves
 * *at past the number. Returns false, with *at unchanged, if there is no number. */
bool img_decimal_read(const char **at, const char *end, int64_t *billionths);

#endif
