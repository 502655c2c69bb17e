#include "kernels/core/params/fixed.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The parts of a number that was written as text. */
typedef struct Written {
    const char *whole, *part; /* digits before and after the decimal point, inside the text */
    size_t whole_count, part_count;
    bool negative;
    int exponent;
} Written;

static size_t count_digits(const char *text, const char *end)
{
    const char *at = text;
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return (size_t)(at - text);
}

/* Reads an exponent that must end at `end`. Returns false if it is invalid. Clamps its magnitude to
 * 100000000: with a larger exponent, the number is 0 or too large in any case. */
static bool read_exponent(const char *text, const char *end, int *exponent)
{
    enum { MOST = 100000000 };
    const bool negative = text < end && *text == '-';
    text += text < end && (*text == '-' || *text == '+');
    const size_t digits = count_digits(text, end);
    *exponent = 0;
    for (size_t i = 0; i < digits && *exponent < MOST; i++)
        *exponent = *exponent * 10 + (text[i] - '0');
    *exponent = negative ? -*exponent : *exponent;
    return digits > 0 && text + digits == end;
}

static bool read_written(const char *text, size_t length, Written *written)
{
    const char *end = text + length;
    *written = (Written){.negative = length > 0 && *text == '-'};
    text += written->negative;
    written->whole = text;
    written->whole_count = count_digits(text, end);
    text += written->whole_count;
    if (text < end && *text == '.') {
        written->part = text + 1;
        written->part_count = count_digits(text + 1, end);
        text += 1 + written->part_count;
        if (written->part_count == 0)
            return false;
    }
    if (text < end && (*text == 'e' || *text == 'E'))
        return written->whole_count > 0 && read_exponent(text + 1, end, &written->exponent);
    return written->whole_count > 0 && text == end;
}

/* Returns the digit at index `at`, where index 0 is the first digit of the number and the decimal
 * point does not count. Returns 0 for an index before the first digit or after the last one. */
static int digit_at(const Written *written, int64_t at)
{
    const int64_t whole = (int64_t)written->whole_count, part = (int64_t)written->part_count;
    if (at < 0 || at >= whole + part)
        return 0;
    return (at < whole ? written->whole[at] : written->part[at - whole]) - '0';
}

/* Returns true if any digit at position `from` or later is not zero. */
static bool any_digit(const Written *written, int64_t from)
{
    const int64_t count = (int64_t)(written->whole_count + written->part_count);
    for (int64_t at = from > 0 ? from : 0; at < count; at++)
        if (digit_at(written, at) != 0)
            return true;
    return false;
}

bool img_fixed_parse(const char *text, size_t length, int places, int64_t *value)
{
    Written written;
    int64_t number = 0, first = 0;
    if (length > INT32_MAX || !read_written(text, length, &written))
        return false;
    const int64_t point = (int64_t)written.whole_count + written.exponent;
    const int64_t count = (int64_t)(written.whole_count + written.part_count);
    while (first < count && digit_at(&written, first) == 0)
        first++;
    if (first < count && point - first > IMG_FIXED_DIGITS)
        return false;
    if (places == 0 && any_digit(&written, point))
        return false;
    const int64_t end = point + places;
    for (int64_t at = first; at < end && first < count; at++)
        number = number * 10 + digit_at(&written, at);
    if (digit_at(&written, end) >= 5)
        number++;
    *value = written.negative ? -number : number;
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
