/* Private: what each effort of optimization tries. */
#ifndef IMGTOOL_IO_PNG_OPTIMIZE_EFFORT_H
#define IMGTOOL_IO_PNG_OPTIMIZE_EFFORT_H

#include <stdbool.h>

#include "io/png/optimize/filter_plan.h"
#include "io/png/optimize/options.h"

typedef struct ImgEffort {
    /* Plans of filters to try: one bit 1 << IMG_PLAN_X for each. `index_plans` is for palette
     * indices and samples below 8 bits, which filters rarely help. */
    unsigned plans, index_plans;
    /* Orders of a palette to try besides IMG_ORDER_FIRST_SEEN: one bit 1 << IMG_ORDER_X for each.
     */
    unsigned orders;
    bool wide;    /* indices and gray of fewer than 8 bits are tried with 8 bits, too */
    int estimate; /* level of libdeflate for all trials */
    int full;     /* level of libdeflate for the result; unused with `exact` */
    int exact;    /* effort of the exact deflater for the result (deflate/exact.h); 0: libdeflate */
    int in_full;  /* number of the best trials that are deflated in full */
} ImgEffort;

/* Returns the parameters of an effort (IMG_OPTIMIZE_LEAST to IMG_OPTIMIZE_MOST). Each tries more
 * than the one below. */
const ImgEffort *img_effort(int effort);

#endif
