#include "io/png/level.h"

#include "io/png/filter.h"

enum {
    NONE = 1 << IMG_FILTER_NONE,
    AVERAGE = 1 << IMG_FILTER_AVERAGE,
    PAETH = 1 << IMG_FILTER_PAETH,
    ALL = (1 << IMG_FILTERS) - 1,
};

static const ImgPngLevel LEVELS[10] = {
    {.filters = NONE},
    {.filters = PAETH, .runs = true},
    {.filters = PAETH, .runs = true, .matches = 1},
    {.filters = PAETH | AVERAGE, .runs = true, .matches = 1},
    {.filters = ALL, .runs = true, .matches = 1},
    {.filters = ALL, .runs = true, .search = 1},
    {.filters = ALL, .choice = IMG_CHOOSE_BY_COST, .runs = true, .search = 6},
    {.filters = ALL, .choice = IMG_CHOOSE_BY_COST, .runs = true, .search = 9},
    {.filters = ALL, .choice = IMG_CHOOSE_BY_COST, .runs = true, .search = 10},
    {.filters = ALL, .choice = IMG_CHOOSE_BY_TRIAL, .runs = true, .search = 12},
};

ImgPngLevel img_png_level(int level, ImgFormat format)
{
    ImgPngLevel chosen = LEVELS[level];
    /* Neighbouring indices, and pixels that share a byte, are not close in value. */
    bool by_value = format.color != IMG_COLOR_PALETTE && format.bits >= 8;
    if (!by_value && chosen.choice != IMG_CHOOSE_BY_TRIAL) {
        chosen.filters = NONE;
        chosen.choice = IMG_CHOOSE_BY_SUM;
    }
    return chosen;
}
