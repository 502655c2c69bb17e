#include "app/stats/stats.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "kernels/core/params/fixed.h"

static bool parse_one(const char *text, size_t length, ImgPercentage *percentage)
{
    enum { PLACES = 6 }; /* number of decimal places that IMG_PERCENT has */
    int64_t number;
    if (!img_fixed_parse(text, length, PLACES, &number) || number < 0 ||
        number > INT64_C(100) * IMG_PERCENT)
        return false;
    *percentage = (ImgPercentage)number;
    return true;
}

static bool is_listed(const Percentiles *percentiles, ImgPercentage percentage)
{
    for (size_t i = 0; i < percentiles->count; i++)
        if (percentiles->at[i] == percentage)
            return true;
    return false;
}

ImgStatus percentiles_parse(const char *list, Percentiles *percentiles, ImgError *err)
{
    percentiles->count = 0;
    for (const char *at = list; at != NULL;) {
        size_t length = strcspn(at, ",");
        ImgPercentage percentage;
        if (!parse_one(at, length, &percentage))
            return img_fail(
                err, IMG_E_USAGE,
                "--percentiles: '%.*s' is not a percentile; write numbers from 0 to 100, such "
                "as 1,5,95,99.9",
                length > 40 ? 40 : (int)length, at);
        if (!is_listed(percentiles, percentage)) {
            if (percentiles->count == PERCENTILES_MAX)
                return img_fail(err, IMG_E_USAGE, "--percentiles: more than %d are too many",
                                (int)PERCENTILES_MAX);
            percentiles->at[percentiles->count++] = percentage;
        }
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    return IMG_OK;
}

const char *percentile_text(ImgPercentage percentage, char text[PERCENTILE_TEXT])
{
    int length = snprintf(text, PERCENTILE_TEXT, "%u.%06u", percentage / IMG_PERCENT,
                          percentage % IMG_PERCENT);
    while (text[length - 1] == '0')
        text[--length] = '\0';
    if (text[length - 1] == '.')
        text[--length] = '\0';
    return text;
}
