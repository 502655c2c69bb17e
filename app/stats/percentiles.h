/* Percentiles to print, from a list such as "1,5,95,99.9". */
#ifndef IMGTOOL_APP_STATS_PERCENTILES_H
#define IMGTOOL_APP_STATS_PERCENTILES_H

#include <stddef.h>

#include "kernels/core/status.h"
#include "kernels/histogram/statistics.h"

enum { PERCENTILES_MAX = 64 };

typedef struct Percentiles {
    size_t count;
    ImgPercentage at[PERCENTILES_MAX]; /* in the order of the list */
} Percentiles;

/* Parses numbers from 0 to 100, rounded to millionths and separated by commas; NULL gives none.
 * Repeated numbers count once, because they are keys in JSON. IMG_E_USAGE names the wrong number
 * and the correct form. */
ImgStatus percentiles_parse(const char *list, Percentiles *percentiles, ImgError *err);

/* Writes a percentile without trailing zeros, such as "99.9". */
enum { PERCENTILE_TEXT = 16 };
const char *percentile_text(ImgPercentage percentage, char text[PERCENTILE_TEXT]);

#endif
