#include "kernels/core/params/fixed.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static size_t count_digits(const char *text, size_t length)
{
    size_t digits = 0;
    while (digits < length && text[digits] >= '0' && text[digits] <= '9')
        digits++;
    return digits;
}

bool img_fixed_parse(const char *text, size_t length, int places, int64_t *value)
{
    int64_t number = 0;
    const char *end = text + length;
    bool negative = length > 0 && *text == '-';
    text += negative;
    size_t digits = count_digits(text, (size_t)(end - text));
    if (digits == 0 || digits > IMG_FIXED_DIGITS)
        return false;
    for (; digits > 0; digits--)
        number = number * 10 + (*text++ - '0');
    if (text < end && *text == '.') {
        text++;
        digits = count_digits(text, (size_t)(end - text));
        if (digits == 0)
            return false;
    }
    if (text + digits != end || digits > (size_t)places)
        return false;
    for (int i = 0; i < places; i++)
        number = number * 10 + (text < end ? *text++ - '0' : 0);
    *value = negative ? -number : number;
    return true;
}

void img_fixed_print(int64_t value, int places, char *text)
{
    uint64_t unit = 1, size = value < 0 ? -(uint64_t)value : (uint64_t)value;
    for (int i = 0; i < places; i++)
        unit *= 10;
    snprintf(text, IMG_FIXED_TEXT, "%s%" PRIu64 ".%0*" PRIu64, value < 0 ? "-" : "", size / unit,
             places, size % unit);
    size_t length = strlen(text);
    while (text[length - 1] == '0')
        length--;
    text[text[length - 1] == '.' ? length - 1 : length] = '\0';
}
