#include "io/png/encode/level.h"

#include "io/png/filter/filter.h"

enum {
    NONE = 1 << IMG_FILTER_NONE,
    AVERAGE = 1 << IMG_FILTER_AVERAGE,
    PAETH = 1 << IMG_FILTER_PAETH,
    ALL = (1 << IMG_FILTERS) - 1,
};

/* Measured with 12 megapixels of RGB on one core of a shared x86-64 server with AVX-512, in memory;
 * a photograph and a screenshot with a photograph in it. libpng's default is in the last column.
 *
 *     level           0     1     2     3     4     5     6     7     8      9   libpng
 *     photo   ms      5    25    29    31    37   360  1120  2880  6660  19560     4090
 *             MB   36.0  16.2  16.2  15.7  15.7  15.7  15.7  15.7  15.7   15.7     16.0
 *     screen  ms      5    16    25    28    29   145   265   510  1650   6460      390
 *             MB   36.0  2.99  2.54  2.54  2.51  2.41  2.33  2.32  2.20   2.11     2.30
 */
static const ImgPngLevel LEVELS[10] = {
    {.filters = NONE},
    {.filters = PAETH, .runs = 4},
    {.filters = PAETH, .runs = 4, .matches = 1},
    {.filters = PAETH | AVERAGE, .runs = 4, .matches = 1},
    {.filters = ALL, .runs = 2, .matches = 1},
    {.filters = ALL, .runs = 1, .search = 1},
    {.filters = ALL, .choice = IMG_CHOOSE_BY_COST, .runs = 1, .search = 6},
    {.filters = ALL, .choice = IMG_CHOOSE_BY_COST, .runs = 1, .search = 9},
    {.filters = ALL, .choice = IMG_CHOOSE_BY_COST, .runs = 1, .search = 10},
    {.filters = ALL, .choice = IMG_CHOOSE_BY_TRIAL, .runs = 1, .search = 12},
};

/* Indices and bits have nothing but matches, and there are fewer bytes of them to search. */
static const int SEARCH_FOR_INDICES[10] = {0, 0, 0, 2, 4, 5, 6, 9, 10, 12};

ImgPngLevel img_png_level(int level, ImgFormat format)
{
    ImgPngLevel chosen = LEVELS[level];
    /* Neighbouring indices, and pixels that share a byte, are not close in value. */
    bool by_value = format.color != IMG_COLOR_PALETTE && format.bits >= 8;
    if (by_value || chosen.choice == IMG_CHOOSE_BY_TRIAL)
        return chosen;
    chosen.filters = NONE;
    chosen.choice = IMG_CHOOSE_BY_SUM;
    if (SEARCH_FOR_INDICES[level] > 0) {
        chosen.search = SEARCH_FOR_INDICES[level];
        chosen.matches = 0;
    }
    return chosen;
}
