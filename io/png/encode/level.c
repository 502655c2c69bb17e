#include "io/png/encode/level.h"

#include "io/png/filter/filter.h"

enum {
    NONE = 1 << IMG_FILTER_NONE,
    PAETH = 1 << IMG_FILTER_PAETH,
    ALL = (1 << IMG_FILTERS) - 1,
    WHOLE_MATCH = 258,
};

const ImgLz77Effort IMG_LZ77_DEEP = {IMG_LZ77_FROM_6, 64,         WHOLE_MATCH, 64,
                                     WHOLE_MATCH,     WHOLE_MATCH};

/* The parameters of compression levels 0 to 9. The program tests/peers/png_levels prints the time
 * and the file size of each level. */
static const ImgPngLevel LEVELS[10] = {
    {.filters = NONE},
    {.filters = PAETH, .runs = 4},
    {.filters = PAETH, .runs = 4, .matches = true},
    {.filters = ALL, .runs = 4, .matches = true},
    {.filters = ALL, .runs = 2, .matches = true},
    {.filters = ALL, .trying = IMG_TRY_ALL, .runs = 1, .matches = true},
    {.filters = ALL, .trying = IMG_TRY_COSTS, .runs = 1, .matches = true, .search = 6},
    {.filters = ALL,
     .trying = IMG_TRY_COSTS,
     .runs = 1,
     .matches = true,
     .search = 9,
     .second_search = 6},
    {.filters = ALL,
     .trying = IMG_TRY_COSTS,
     .runs = 1,
     .matches = true,
     .search = 10,
     .second_search = 9},
    {.filters = ALL, .trying = IMG_TRY_FILTERS, .runs = 1, .matches = true, .search = 12},
};

/* Level of libdeflate for each compression level, for palette indices and samples below 8 bits.
 * Only LZ77 shrinks such data, and such pictures have few bytes, so that a slower search is
 * affordable. */
static const int SEARCH_FOR_INDICES[10] = {0, 0, 1, 2, 2, 6, 6, 9, 10, 12};

ImgPngLevel img_png_level(int level, ImgFormat format)
{
    ImgPngLevel chosen = LEVELS[level];
    chosen.by_value = format.color != IMG_COLOR_PALETTE && format.bits >= 8;
    if (!chosen.by_value) {
        chosen.filters = NONE;
        chosen.search = SEARCH_FOR_INDICES[level];
    }
    return chosen;
}
