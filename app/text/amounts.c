#include "app/text/amounts.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct Suffix {
    const char *name;
    uint64_t factor;
} Suffix;

static const Suffix count_suffixes[] = {{"", 1},           {"k", 1000},          {"m", 1000000},
                                        {"g", 1000000000}, {"t", 1000000000000}, {NULL, 0}};

static const Suffix time_suffixes[] = {{"", 1},     {"s", 1},         {"m", 60},
                                       {"h", 3600}, {"d", 24 * 3600}, {NULL, 0}};

static const Suffix byte_suffixes[] = {
    {"", 1},
    {"b", 1},
    {"k", UINT64_C(1) << 10},
    {"kib", UINT64_C(1) << 10},
    {"kb", 1000},
    {"m", UINT64_C(1) << 20},
    {"mib", UINT64_C(1) << 20},
    {"mb", 1000000},
    {"g", UINT64_C(1) << 30},
    {"gib", UINT64_C(1) << 30},
    {"gb", 1000000000},
    {"t", UINT64_C(1) << 40},
    {"tib", UINT64_C(1) << 40},
    {"tb", 1000000000000},
    {NULL, 0},
};

static uint64_t factor_of(const Suffix *suffixes, const char *text)
{
    for (const Suffix *suffix = suffixes; suffix->name != NULL; suffix++)
        if (strcasecmp(suffix->name, text) == 0)
            return suffix->factor;
    return 0;
}

/* Returns the fraction 0.DIGITS multiplied by `factor`, rounded down. Only the first 6 digits
 * count. */
static uint64_t scale_fraction(const char *digits, size_t length, uint64_t factor)
{
    uint64_t sum = 0, numerator = 0, denominator = 1;
    for (size_t i = 0; i < length && i < 6; i++) {
        numerator = numerator * 10 + (uint64_t)(digits[i] - '0');
        denominator *= 10;
    }
    /* These products do not overflow, because `factor` is at most 2^40 and the fraction has at most
     * 6 digits. */
    sum = factor / denominator * numerator + factor % denominator * numerator / denominator;
    return sum;
}

static ImgStatus parse(const Suffix *suffixes, const char *example, const char *text,
                       uint64_t *value, ImgError *err)
{
    const char *at = text;
    uint64_t whole = 0;
    bool overflow = false;
    for (; isdigit((unsigned char)*at); at++) {
        overflow |= __builtin_mul_overflow(whole, UINT64_C(10), &whole);
        overflow |= __builtin_add_overflow(whole, (uint64_t)(*at - '0'), &whole);
    }
    bool number = at != text;
    const char *fraction = at;
    size_t fraction_length = 0;
    if (*at == '.') {
        fraction = ++at;
        while (isdigit((unsigned char)*at))
            at++;
        fraction_length = (size_t)(at - fraction);
        number &= fraction_length > 0;
    }
    uint64_t factor = number ? factor_of(suffixes, at) : 0;
    if (factor == 0)
        return img_fail(err, IMG_E_USAGE, "'%s' is not an amount; write one like %s", text,
                        example);
    uint64_t part = scale_fraction(fraction, fraction_length, factor);
    overflow |= __builtin_mul_overflow(whole, factor, &whole);
    overflow |= __builtin_add_overflow(whole, part, &whole);
    if (overflow)
        return img_fail(err, IMG_E_USAGE, "'%s' is more than this program can count", text);
    if (whole == 0)
        return img_fail(err, IMG_E_USAGE, "'%s' is too small; use at least 1", text);
    *value = whole;
    return IMG_OK;
}

ImgStatus img_amount_parse_count(const char *text, uint64_t *count, ImgError *err)
{
    return parse(count_suffixes, "500000, 500k, 80M or 1.5G", text, count, err);
}

ImgStatus img_amount_parse_bytes(const char *text, uint64_t *bytes, ImgError *err)
{
    return parse(byte_suffixes, "500M, 1.5G or 2GiB", text, bytes, err);
}

ImgStatus img_amount_parse_seconds(const char *text, uint64_t *seconds, ImgError *err)
{
    return parse(time_suffixes, "30s, 15m, 2h or 1d", text, seconds, err);
}

static bool parse_side(const char *text, size_t length, int32_t *side)
{
    int64_t value = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || value > INT32_MAX)
            return false;
        value = 10 * value + (text[i] - '0');
    }
    *side = (int32_t)value;
    return length > 0 && value >= 1 && value <= INT32_MAX;
}

bool img_amount_parse_pixels(const char *text, int32_t *width, int32_t *height)
{
    const size_t before = strcspn(text, "x"), length = strlen(text);
    int32_t across = 0, down = 0;
    bool valid = parse_side(text, before, &across);
    down = across;
    if (valid && before < length)
        valid = parse_side(text + before + 1, length - before - 1, &down);
    if (!valid)
        return false;
    *width = across;
    *height = down;
    return true;
}

const char *img_amount_print_count(uint64_t count, char text[AMOUNT_TEXT])
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, count);
    char *to = text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return text;
}

const char *img_amount_print_number(double number, char text[AMOUNT_TEXT])
{
    enum { DIGITS_LEAST = 15, DIGITS_MOST = 17 };
    if (number == floor(number) && fabs(number) < 1e18) {
        snprintf(text, AMOUNT_TEXT, "%.0f", number == 0 ? 0 : number);
        return text;
    }
    for (int digits = DIGITS_LEAST; digits <= DIGITS_MOST; digits++) {
        snprintf(text, AMOUNT_TEXT, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    return text;
}

const char *img_amount_print_percent(uint64_t part, uint64_t whole, int decimals,
                                     char text[AMOUNT_TEXT])
{
    double percent = 100 * ((double)part / (double)whole), least = 1;
    for (int i = 0; i < decimals; i++)
        least /= 10;
    if (part > 0 && percent < least)
        snprintf(text, AMOUNT_TEXT, "<%.*f", decimals, least);
    else if (part < whole && percent > 100 - least)
        snprintf(text, AMOUNT_TEXT, ">%.*f", decimals, 100 - least);
    else
        snprintf(text, AMOUNT_TEXT, "%.*f", decimals, percent);
    return text;
}

const char *img_amount_print_option(uint64_t bytes, char text[AMOUNT_TEXT])
{
    static const char letters[] = "KMGT";
    unsigned unit = 0;
    /* The rounded amount has at least two digits, so that it is close to the exact amount. */
    while (unit < 3 && bytes >> (10 * (unit + 2)) >= 10)
        unit++;
    unsigned shift = 10 * (unit + 1);
    uint64_t amount = (bytes >> shift) + ((bytes & ((UINT64_C(1) << shift) - 1)) != 0);
    if (amount > UINT64_MAX >> shift) /* The rounded amount, in bytes, would overflow. */
        snprintf(text, AMOUNT_TEXT, "%" PRIu64, bytes);
    else
        snprintf(text, AMOUNT_TEXT, "%" PRIu64 "%c", amount, letters[unit]);
    return text;
}
