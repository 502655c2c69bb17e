/* Random values of parameters (fill.h). */
#include "tests/checkkernels/fill.h"

#include <stdio.h>
#include <string.h>

enum { SAMPLES_MAX = 65535, SMALL = 4000 /* SMALL is in thousandths */ };

static int64_t draw_between(Random *random, int64_t least, int64_t most)
{
    return least + (int64_t)(random_next(random) % (uint64_t)(most - least + 1));
}

/* Prints a fixed-point number with `places` decimal places, for example -500 with three places as
 * "-0.500". Returns the number of characters. */
static size_t print_places(int64_t value, int places, char *text, size_t size)
{
    int64_t unit = 1, positive = value < 0 ? -value : value;
    for (int i = 0; i < places; i++)
        unit *= 10;
    return (size_t)snprintf(text, size, "%s%lld.%0*lld", value < 0 ? "-" : "",
                            (long long)(positive / unit), places, (long long)(positive % unit));
}

/* Draws an integer. One draw in four is the minimum. The others are at most as far from 0 as the
 * longer side of the picture, in pixels; one in four draws may reach SAMPLES_MAX if that is more.
 * They are negative only if the parameter allows it. */
static void draw_int(const ImgParam *param, ImgShape shape, Random *random, char *text, size_t size)
{
    int64_t bound = shape.width > shape.height ? shape.width : shape.height;
    int64_t value = param->min;
    uint32_t kind = random_below(random, 4);
    if (kind == 1 && bound < SAMPLES_MAX)
        bound = SAMPLES_MAX;
    if (kind != 0) {
        bool inside = param->min < -bound && param->max >= -bound;
        int64_t least = inside ? -bound : param->min;
        int64_t most = (least < 0 ? 0 : least) + bound;
        value = draw_between(random, least, param->max < most ? param->max : most);
    }
    snprintf(text, size, "%lld", (long long)value);
}

/* Draws a decimal number. One draw in four is the minimum. One in four is small, because users
 * choose small numbers most often. The others are from the whole range. */
static void draw_decimal(const ImgParam *param, Random *random, char *text, size_t size)
{
    const uint32_t kind = random_below(random, 4);
    const int64_t small = param->min < SMALL && param->max > SMALL ? SMALL : param->max;
    const int64_t most = kind == 0 ? param->min : kind == 1 ? small : param->max;
    print_places(draw_between(random, param->min, most), 3, text, size);
}

/* Draws a colour. One draw in four is transparent, one in four is opaque, and the others have any
 * alpha. */
static void draw_color(Random *random, char *text, size_t size)
{
    uint32_t kind = random_below(random, 4), bits = (uint32_t)random_next(random);
    if (kind == 0)
        snprintf(text, size, "transparent");
    else if (kind == 1)
        snprintf(text, size, "#%06x", (unsigned)(bits >> 8));
    else
        snprintf(text, size, "#%08x", (unsigned)bits);
}

/* Draws a list of numbers. An operation may accept only one length, so half of the lists have the
 * length of the default. A list of positions without a default gets four points instead. */
static void draw_numbers(const ImgParam *param, const ImgParams *defaults, Random *random,
                         char *text, size_t size)
{
    enum { QUARTER = 250000, FEW = 8, MANY = 2000000000, POINTS = 8 };
    ImgNumbers numbers;
    memcpy(&numbers, defaults->bytes + param->offset, sizeof numbers);
    int64_t count = numbers.count > 0 || param->max <= MANY ? numbers.count : POINTS;
    size_t used = 0;
    if (count == 0 || random_below(random, 2) == 0)
        count = draw_between(random, 1, IMG_NUMBERS_MAX);
    for (int64_t i = 0; i < count && used < size; i++) {
        bool least = random_below(random, 8) == 0;
        int64_t value = least ? param->min : draw_between(random, param->min, param->max);
        /* A parameter with so large a maximum holds positions in pixels. They are drawn near 0, so
         * that part of the picture stays visible. */
        if (param->max > MANY)
            value = draw_between(random, -FEW, FEW) * QUARTER;
        used += print_places(value, 6, text + used, size - used);
        if (i + 1 < count && used < size)
            used += (size_t)snprintf(text + used, size - used, ",");
    }
}

/* Draws a size: both sides, the width only, the height only, or a percentage. Sides are at most
 * twice those of the picture and percentages at most 200 %, so that results stay small. Half of the
 * draws limit sides to FEW pixels, because a size can be a window, and kernels have special
 * versions for small windows. */
static void draw_size(const ImgParam *param, ImgShape shape, Random *random, char *text,
                      size_t size)
{
    enum { SHARE_MAX = 200000, FEW = 5 };
    const bool few = random_below(random, 2) == 0;
    int64_t least = param->min > 1 ? param->min : 1, side[2] = {shape.width, shape.height};
    for (int i = 0; i < 2; i++) {
        int64_t most = 2 * side[i] < param->max ? 2 * side[i] : param->max;
        most = few && most > FEW ? FEW : most;
        side[i] = draw_between(random, least, most > least ? most : least);
    }
    uint32_t kind = random_below(random, 4);
    if (kind == 0)
        snprintf(text, size, "%lldx%lld", (long long)side[0], (long long)side[1]);
    else if (kind == 1)
        snprintf(text, size, "%lld", (long long)side[0]);
    else if (kind == 2)
        snprintf(text, size, "x%lld", (long long)side[1]);
    else
        snprintf(text + print_places(draw_between(random, 1, SHARE_MAX), 3, text, size - 1), 2,
                 "%%");
}

/* Draws a ratio similar to the aspect ratios of usual pictures, so that results stay small. */
static void draw_ratio(Random *random, char *text, size_t size)
{
    snprintf(text, size, "%lld.%03u:%lld", (long long)draw_between(random, 1, 4),
             (unsigned)random_below(random, 1000), (long long)draw_between(random, 1, 4));
}

/* Draws a range from the lowest number on, which no operation rejects because a result is too bad.
 */
static void draw_range(const ImgParam *param, Random *random, char *text, size_t size)
{
    snprintf(text, size, "%lld", (long long)draw_between(random, param->min, param->max));
}

/* Draws one of the words that the parameter accepts in place of a number. */
static void draw_word(const ImgParam *param, Random *random, char *text, size_t size)
{
    uint32_t words = 0;
    while (param->choices[words].name != NULL)
        words++;
    snprintf(text, size, "%s", param->choices[random_below(random, words)].name);
}

void draw_value(const ImgParam *param, ImgShape shape, const ImgParams *defaults, Random *random,
                char text[IMG_PARAM_TEXT])
{
    size_t size = IMG_PARAM_TEXT;
    if (param->type == IMG_PARAM_DECIMAL && param->choices != NULL &&
        random_below(random, 4) == 0) {
        draw_word(param, random, text, size);
        return;
    }
    switch (param->type) {
    case IMG_PARAM_INT:
        draw_int(param, shape, random, text, size);
        break;
    case IMG_PARAM_DECIMAL:
        draw_decimal(param, random, text, size);
        break;
    case IMG_PARAM_COLOR:
        draw_color(random, text, size);
        break;
    case IMG_PARAM_NUMBERS:
        draw_numbers(param, defaults, random, text, size);
        break;
    case IMG_PARAM_SIZE:
        draw_size(param, shape, random, text, size);
        break;
    case IMG_PARAM_RATIO:
        draw_ratio(random, text, size);
        break;
    case IMG_PARAM_RANGE:
        draw_range(param, random, text, size);
        break;
    case IMG_PARAM_CHOICE:
    case IMG_PARAM_FILE:
        text[0] = '\0';
        break;
    }
}
