#include "io/png/optimize/effort.h"

#include "io/png/optimize/reduce.h"

enum {
    NONE = 1 << IMG_PLAN_NONE,
    SUB = 1 << IMG_PLAN_SUB,
    UP = 1 << IMG_PLAN_UP,
    AVERAGE = 1 << IMG_PLAN_AVERAGE,
    PAETH = 1 << IMG_PLAN_PAETH,
    SUM = 1 << IMG_PLAN_SUM,
    ENTROPY = 1 << IMG_PLAN_ENTROPY,
    BIGRAMS = 1 << IMG_PLAN_BIGRAMS,
    BRUTE = 1 << IMG_PLAN_BRUTE,
    QUICK = NONE | SUB | ENTROPY | BIGRAMS,
    MOST = QUICK | UP | AVERAGE | PAETH | SUM,
    LUMA = 1 << IMG_ORDER_LUMA,
    ALL_ORDERS = 1 << IMG_ORDER_FREQUENCY | LUMA | 1 << IMG_ORDER_NEIGHBOURS,
};

/* Measurements: io/png/MEASUREMENTS.md. */
static const ImgEffort efforts[IMG_OPTIMIZE_MOST] = {
    {.plans = NONE | SUM, .index_plans = NONE, .estimate = 1, .full = 6, .in_full = 1},
    {.plans = QUICK, .index_plans = NONE, .orders = LUMA, .estimate = 4, .full = 9, .in_full = 1},
    {.plans = QUICK,
     .index_plans = NONE | ENTROPY,
     .orders = ALL_ORDERS,
     .wide = true,
     .estimate = 5,
     .exact = 1,
     .in_full = 1},
    {.plans = MOST,
     .index_plans = QUICK,
     .orders = ALL_ORDERS,
     .wide = true,
     .estimate = 6,
     .exact = 2,
     .in_full = 1},
    {.plans = MOST,
     .index_plans = QUICK,
     .orders = ALL_ORDERS,
     .wide = true,
     .estimate = 6,
     .exact = 2,
     .in_full = 2},
    {.plans = MOST | BRUTE,
     .index_plans = QUICK,
     .orders = ALL_ORDERS,
     .wide = true,
     .estimate = 7,
     .exact = 2,
     .in_full = 2},
    {.plans = MOST | BRUTE,
     .index_plans = QUICK,
     .orders = ALL_ORDERS,
     .wide = true,
     .estimate = 7,
     .exact = 3,
     .in_full = 2},
    {.plans = MOST | BRUTE,
     .index_plans = MOST | BRUTE,
     .orders = ALL_ORDERS,
     .wide = true,
     .estimate = 8,
     .exact = 3,
     .in_full = 4},
    {.plans = MOST | BRUTE,
     .index_plans = MOST | BRUTE,
     .orders = ALL_ORDERS,
     .wide = true,
     .estimate = 8,
     .exact = 4,
     .in_full = 4},
};

const ImgEffort *img_effort(int effort)
{
    return &efforts[effort - IMG_OPTIMIZE_LEAST];
}
