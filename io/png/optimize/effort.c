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
    {NONE | SUM, NONE, 0, false, 1, 6, 1},
    {NONE | SUB | ENTROPY, NONE, LUMA, false, 4, 9, 1},
    {QUICK, NONE, LUMA, false, 5, 10, 1},
    {QUICK, NONE | ENTROPY, ALL_ORDERS, true, 5, 12, 1},
    {QUICK, NONE | ENTROPY, ALL_ORDERS, true, 6, 12, 2},
    {MOST, QUICK, ALL_ORDERS, true, 7, 12, 2},
    {MOST | BRUTE, QUICK, ALL_ORDERS, true, 8, 12, 2},
    {MOST | BRUTE, MOST | BRUTE, ALL_ORDERS, true, 8, 12, 4},
    {MOST | BRUTE, MOST | BRUTE, ALL_ORDERS, true, 8, 12, 12},
};

const ImgEffort *img_effort(int effort)
{
    return &efforts[effort - IMG_OPTIMIZE_LEAST];
}
