#include "io/png/encode/level.h"

#include "io/png/filter/filter.h"

enum {
    NONE = 1 << IMG_FILTER_NONE,
    PAETH = 1 << IMG_FILTER_PAETH,
    ALL = (1 << IMG_FILTERS) - 1,
    WHOLE_MATCH = 258,
};

/* What each level costs and gains beside libpng, tests/peers/png_levels prints. */
#define FAST                                                                                       \
    {                                                                                              \
        IMG_LZ77_FROM_6, 8, 64, 0, 16, 16                                                          \
    }
#define NORMAL                                                                                     \
    {                                                                                              \
        IMG_LZ77_FROM_6, 8, 128, 32, 16, 16                                                        \
    }
#define DEEP                                                                                       \
    {                                                                                              \
        IMG_LZ77_FROM_6, 64, WHOLE_MATCH, 64, WHOLE_MATCH, WHOLE_MATCH                             \
    }

const ImgLz77Effort IMG_LZ77_NORMAL = NORMAL, IMG_LZ77_DEEP = DEEP;

static const ImgPngLevel LEVELS[10] = {
    {.filters = NONE},
    {.filters = PAETH, .runs = 4},
    {.filters = PAETH, .runs = 4, .matches = 1},
    {.filters = ALL, .runs = 4, .matches = 1, .lz77 = FAST},
    {.filters = ALL, .runs = 2, .matches = 1, .lz77 = NORMAL},
    {.filters = ALL, .trying = IMG_TRY_ALL, .runs = 1, .matches = 1, .lz77 = DEEP},
    {.filters = ALL, .trying = IMG_TRY_COSTS, .runs = 1, .matches = 1, .lz77 = DEEP, .search = 6},
    {.filters = ALL,
     .trying = IMG_TRY_COSTS,
     .runs = 1,
     .matches = 1,
     .lz77 = DEEP,
     .search = 9,
     .second_search = 6},
    {.filters = ALL,
     .trying = IMG_TRY_COSTS,
     .runs = 1,
     .matches = 1,
     .lz77 = DEEP,
     .search = 10,
     .second_search = 9},
    {.filters = ALL,
     .trying = IMG_TRY_FILTERS,
     .runs = 1,
     .matches = 1,
     .lz77 = DEEP,
     .search = 12},
};

/* Indices and bits shrink by LZ77 alone, and there are fewer bytes of them to parse. */
static const int SEARCH_FOR_INDICES[10] = {0, 0, 0, 2, 2, 6, 6, 9, 10, 12};

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
