/* Parameters that are ratios of a width to a height, such as 16:9. */
#include <stdio.h>
#include <string.h>

#include "kernels/core/params/fixed.h"
#include "kernels/core/params/value.h"

enum { PLACES = 3, PART_MAX = 100000 * 1000 };

static bool parse_part(const char *text, size_t length, int32_t *part)
{
    int64_t number;
    if (!img_fixed_parse(text, length, PLACES, &number) || number < 1 || number > PART_MAX)
        return false;
    *part = (int32_t)number;
    return true;
}

static bool parse_ratio(const ImgParam *param, const char *text, ImgValue *value)
{
    ImgRatio *ratio = &value->ratio;
    const size_t before = strcspn(text, ":"), length = strlen(text);
    (void)param;
    return before < length && parse_part(text, before, &ratio->width) &&
           parse_part(text + before + 1, length - before - 1, &ratio->height);
}

static void print_ratio(const ImgParam *param, const ImgValue *value, char *text, size_t size)
{
    char width[IMG_FIXED_TEXT], height[IMG_FIXED_TEXT];
    (void)param;
    text[0] = '\0';
    img_fixed_print(value->ratio.width, PLACES, width);
    img_fixed_print(value->ratio.height, PLACES, height);
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
    snprintf(text, size, "use W:H, such as 16:9, of 0.001..%d each", PART_MAX / 1000);
}

const ImgValueKind img_value_ratio = {
    .size = sizeof(ImgRatio),
    .may_be_empty = true,
    .parse = parse_ratio,
    .print = print_ratio,
    .describe = describe_ratio,
    .refuse = refuse_ratio,
};
