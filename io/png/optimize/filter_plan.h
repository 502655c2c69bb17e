/* Private: plans that choose a filter for each row of a picture. */
#ifndef IMGTOOL_IO_PNG_OPTIMIZE_FILTER_PLAN_H
#define IMGTOOL_IO_PNG_OPTIMIZE_FILTER_PLAN_H

#include "io/png/filter/filter_type.h"
#include "kernels/core/image.h"

/* The first plans use one filter for all rows, and have the numbers of ImgFilter. */
typedef enum ImgFilterPlan {
    IMG_PLAN_NONE,
    IMG_PLAN_SUB,
    IMG_PLAN_UP,
    IMG_PLAN_AVERAGE,
    IMG_PLAN_PAETH,
    IMG_PLAN_SUM,     /* per row: the least sum of absolute values */
    IMG_PLAN_ENTROPY, /* per row: the least entropy of bytes */
    IMG_PLAN_BIGRAMS, /* per row: the fewest different pairs of neighbouring bytes */
    IMG_PLAN_BRUTE,   /* per row: the smallest deflated data, with some rows before it */
    IMG_PLANS,
    IMG_PLAN_MIXED = IMG_PLANS, /* per segment: the plan that was smallest in a trial */
} ImgFilterPlan;

/* Returns "none", "sub", ..., "brute" or "mixed". */
const char *img_filter_plan_name(ImgFilterPlan plan);

/* Working memory to filter rows of a picture. */
typedef struct ImgFilterWork ImgFilterWork;

/* Allocates memory for pictures whose rows have at most `row_bytes` bytes in the file. Returns NULL
 * if memory is short. */
ImgFilterWork *img_filter_work_create(size_t row_bytes);
size_t img_filter_work_bytes(size_t row_bytes);
void img_filter_work_free(ImgFilterWork *work);

/* Filters rows `first` to `end` (exclusive) by a plan other than IMG_PLAN_MIXED. Writes 1 +
 * row_bytes bytes for each row to `out`, and the filter of each row to `types`. Returns false if
 * memory is short. */
bool img_filter_by_plan(ImgFilterWork *work, const ImgView *view, int32_t first, int32_t end,
                        ImgFilterPlan plan, uint8_t *out, uint8_t *types);

/* Filters rows `first` to `end` (exclusive). types[0] is the filter of row `first`. */
void img_filter_by_types(ImgFilterWork *work, const ImgView *view, int32_t first, int32_t end,
                         const uint8_t *types, uint8_t *out);

#endif
