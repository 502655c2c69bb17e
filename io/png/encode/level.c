#include "io/png/encode/level.h"

#include "io/png/filter/filter.h"

enum {
    NONE = 1 << IMG_FILTER_NONE,
    AVERAGE = 1 << IMG_FILTER_AVERAGE,
    PAETH = 1 << IMG_FILTER_PAETH,
    ALL = (1 << IMG_FILTERS) - 1,
};

/* Measured with the photo and the screens of tests/peers/png_images.sh, 12 megapixels of RGB, in
 * memory, one thread each and both at a time, on two cores of a shared x86-64 server with AVX-512.
 * libpng's default, alone, is in the last column.
 *
 *     level            0      1      2      3      4      5      6      7      8      9  libpng
 *     photo    ms      7     33     46     51     55    463   1328   3821   4402  11712    3884
 *              MB  36.01  15.76  15.76  15.38  15.37  15.37  15.37  15.36  15.24  15.19   15.64
 *     screens  ms      7     26     41     38     37    159    306    552   1396   5937     417
 *              MB  36.01   3.46   2.71   2.71   2.72   2.64   2.55   2.53   2.38   2.26    2.47
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
