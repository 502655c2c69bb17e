/* Parameters of two numbers: sizes of a result, in pixels or in per cent of the picture, ratios of
 * a width to a height, such as 16:9, and ranges, such as 60-80. */
#include <stdio.h>
#include <string.h>

#include "kernels/core/params/fixed.h"
#include "kernels/core/params/value.h"

/* --- Sizes ------------------------------------------------------------------------------------ */

/* SHARE_MAX is 100000 per cent, in thousandths of a per cent */
enum { SHARE_PLACES = 3, SHARE_MAX = 100000000 };

static bool parse_part(const char *text, size_t length, int places, int32_t least, int32_t most,
                       int32_t *part)
{
    int64_t number;
    if (!img_fixed_parse(text, length, places, &number) || number < least || number > most)
        return false;
    *part = (int32_t)number;
    return true;
}

/* Returns the smallest number of pixels that a user may give, at least 1. 0 is reserved for a side
 * that is not given. */
static int32_t least_pixels(const ImgParam *param)
{
    return param->min > 1 ? (int32_t)param->min : 1;
}

static bool parse_pixels(const ImgParam *param, const char *text, size_t length, int32_t *pixels)
{
    return parse_part(text, length, 0, least_pixels(param), param->max, pixels);
}

static bool parse_size(const ImgParam *param, const char *text, ImgValue *value)
{
    ImgSize *size = &value->size;
    *size = (ImgSize){.share = 0};
    size_t length = strlen(text), before = strcspn(text, "x");
    if (length > 0 && text[length - 1] == '%')
        return parse_part(text, length - 1, SHARE_PLACES, 1, SHARE_MAX, &size->share);
    if (before == length)
        return parse_pixels(param, text, length, &size->width);
    return (before == 0 || parse_pixels(param, text, before, &size->width)) &&
           parse_pixels(param, text + before + 1, length - before - 1, &size->height);
}

static void print_size(const ImgParam *param, const ImgValue *value, char *text, size_t size)
{
    char share[IMG_FIXED_TEXT];
    const ImgSize *given = &value->size;
    (void)param;
    img_fixed_print(given->share, SHARE_PLACES, share);
    if (given->share > 0)
        snprintf(text, size, "%s%%", share);
    else if (given->width > 0 && given->height > 0)
        snprintf(text, size, "%dx%d", given->width, given->height);
    else if (given->width > 0)
        snprintf(text, size, "%d", given->width);
    else if (given->height > 0)
        snprintf(text, size, "x%d", given->height);
    else
        text[0] = '\0';
}

static void describe_size(const ImgParam *param, char *text, size_t size)
{
    snprintf(text, size, param->in_pixels ? "WxH|W" : "WxH|W|xH|P%%");
}

static void refuse_size(const ImgParam *param, const char *value, char *text, size_t size)
{
    char most[IMG_FIXED_TEXT];
    (void)value;
    const int used = snprintf(text, size, "use WxH, W or xH of %d..%d pixels", least_pixels(param),
                              (int32_t)param->max);
    img_fixed_print(SHARE_MAX, SHARE_PLACES, most);
    if (!param->in_pixels && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, ", or P%% of 0.001..%s", most);
}

const ImgValueKind img_value_size = {
    .size = sizeof(ImgSize),
    .may_be_empty = true,
    .parse = parse_size,
    .print = print_size,
    .describe = describe_size,
    .refuse = refuse_size,
};

/* --- Ratios ----------------------------------------------------------------------------------- */

/* largest part of a ratio: 100000, in units of 10^-RATIO_PLACES */
enum { RATIO_PLACES = 3, RATIO_MAX = 100000 * 1000 };

static bool parse_ratio(const ImgParam *param, const char *text, ImgValue *value)
{
    ImgRatio *ratio = &value->ratio;
    const size_t before = strcspn(text, ":"), length = strlen(text);
    (void)param;
    return before < length && parse_part(text, before, RATIO_PLACES, 1, RATIO_MAX, &ratio->width) &&
           parse_part(text + before + 1, length - before - 1, RATIO_PLACES, 1, RATIO_MAX,
                      &ratio->height);
}

static void print_ratio(const ImgParam *param, const ImgValue *value, char *text, size_t size)
{
    char width[IMG_FIXED_TEXT], height[IMG_FIXED_TEXT];
    (void)param;
    text[0] = '\0';
    img_fixed_print(value->ratio.width, RATIO_PLACES, width);
    img_fixed_print(value->ratio.height, RATIO_PLACES, height);
    if (value->ratio.height > 0)
        snprintf(text, size, "%s:%s", width, height);
}

static void describe_ratio(const ImgParam *param, char *text, size_t size)
{
    (void)param;
    snprintf(text, size, "W:H");
}

static void refuse_ratio(const ImgParam *param, const char *value, char *text, size_t size)
{
    (void)param, (void)value;
    snprintf(text, size, "use W:H, such as 16:9, of 0.001..%d each", RATIO_MAX / 1000);
}

const ImgValueKind img_value_ratio = {
    .size = sizeof(ImgRatio),
    .may_be_empty = true,
    .parse = parse_ratio,
    .print = print_ratio,
    .describe = describe_ratio,
    .refuse = refuse_ratio,
};

/* --- Ranges ----------------------------------------------------------------------------------- */

static bool parse_end(const ImgParam *param, const char *text, size_t length, int32_t *end)
{
    return parse_part(text, length, 0, (int32_t)param->min, (int32_t)param->max, end);
}

static bool parse_range(const ImgParam *param, const char *text, ImgValue *value)
{
    ImgRange *range = &value->range;
    const size_t before = strcspn(text, "-"), length = strlen(text);
    *range = (ImgRange){.from = (int32_t)param->min, .is_given = 1};
    if (before == length)
        return parse_end(param, text, length, &range->to);
    return parse_end(param, text, before, &range->from) &&
           parse_end(param, text + before + 1, length - before - 1, &range->to) &&
           range->from <= range->to;
}

static void print_range(const ImgParam *param, const ImgValue *value, char *text, size_t size)
{
    const ImgRange *range = &value->range;
    text[0] = '\0';
    if (range->is_given != 0 && range->from == param->min)
        snprintf(text, size, "%d", range->to);
    else if (range->is_given != 0)
        snprintf(text, size, "%d-%d", range->from, range->to);
}

static void describe_range(const ImgParam *param, char *text, size_t size)
{
    (void)param;
    snprintf(text, size, "MIN-MAX|MAX");
}

static void refuse_range(const ImgParam *param, const char *value, char *text, size_t size)
{
    (void)value;
    snprintf(text, size, "use MIN-MAX, or only MAX, of %d..%d each, MIN at most MAX",
             (int32_t)param->min, (int32_t)param->max);
}

const ImgValueKind img_value_range = {
    .size = sizeof(ImgRange),
    .may_be_empty = true,
    .parse = parse_range,
    .print = print_range,
    .describe = describe_range,
    .refuse = refuse_range,
};
