#include "io/png/level.h"

#include "io/png/filter.h"

enum {
    NONE = 1 << IMG_FILTER_NONE,
    SUB = 1 << IMG_FILTER_SUB,
    UP = 1 << IMG_FILTER_UP,
    PAETH = 1 << IMG_FILTER_PAETH,
    ALL = (1 << IMG_FILTERS) - 1,
    /* Within the cache of a core, and 46 strips of 12 megapixels; searches gain by longer ones. */
    SHORT = 768 << 10,
    LONG = 2 << 20,
};

static const ImgPngLevel LEVELS[10] = {
    {NONE, false, 0, 0, false, SHORT}, /* stored */
    {SUB | PAETH, true, 0, 0, false, SHORT}, {SUB | UP | PAETH, true, 1, 0, false, SHORT},
    {ALL, true, 1, 0, false, SHORT},         {ALL, true, 1, 0, false, SHORT},
    {ALL, false, 0, 4, false, LONG},         {ALL, false, 0, 6, false, LONG},
    {ALL, false, 0, 8, false, LONG},         {ALL, false, 0, 10, false, LONG},
    {ALL, false, 0, 12, true, LONG},
};

ImgPngLevel img_png_level(int level, ImgFormat format)
{
    ImgPngLevel chosen = LEVELS[level];
    /* Neighbouring indices, and pixels that share a byte, are not close in value. */
    if (format.color == IMG_COLOR_PALETTE || format.bits < 8)
        chosen.filters = NONE;
    return chosen;
}
