/* "1,5,95,99.9": which percentiles to show. */
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

/* Numbers of 0 to 100 rounded to millionths, commas between; NULL gives none. Of equal ones only
 * the first counts: in JSON they are names. IMG_E_USAGE names the one that is wrong, and what is
 * right. */
ImgStatus percentiles_parse(const char *list, Percentiles *percentiles, ImgError *err);

/* "99.9" */
enum { PERCENTILE_TEXT = 16 };
const char *percentile_text(ImgPercentage percentage, char text[PERCENTILE_TEXT]);

#endif
