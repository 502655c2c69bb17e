#include "kernels/core/fixed/decimal.h"

#include <stddef.h>

enum { PLACES = 9, DIGITS_MOST = 17, EXPONENT_MOST = 9999 };
static const int64_t MOST = (int64_t)IMG_DECIMAL_UNIT * 1000000000;

typedef struct Digits {
    int64_t value; /* the first DIGITS_MOST significant digits */
    int kept;
    int places; /* exponent of ten: the number is value * 10^places */
    int read;
} Digits;

static bool is_digit(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

static const char *read_digits(const char *at, const char *end, bool fraction, Digits *digits)
{
    for (; is_digit(at, end); at++, digits->read++) {
        const bool keeps = digits->kept < DIGITS_MOST;
        if (keeps) {
            digits->value = digits->value * 10 + (*at - '0');
            digits->kept += digits->value > 0;
        }
        /* `places` cannot overflow: a text of 2^31 digits is longer than any file that is read. */
        digits->places += (keeps ? 0 : 1) - (fraction ? 1 : 0);
    }
    return at;
}

/* Reads an exponent such as "e-05" at `at`, if there is one, and adds it to `digits`. Returns the
 * position after it. Returns NULL if an 'e' is not followed by a number. */
static const char *read_exponent(const char *at, const char *end, Digits *digits)
{
    int exponent = 0;
    if (at == end || (*at != 'e' && *at != 'E'))
        return at;
    at++;
    const bool negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    if (!is_digit(at, end))
        return NULL;
    for (; is_digit(at, end); at++)
        exponent = exponent < EXPONENT_MOST ? exponent * 10 + (*at - '0') : exponent;
    digits->places += negative ? -exponent : exponent;
    return at;
}

/* Returns value * 10^places, rounded to nearest and clamped to MOST. */
static int64_t moved(int64_t value, int places)
{
    int64_t divisor = 1;
    for (; places > 0 && value > 0 && value < MOST; places--)
        value = value > MOST / 10 ? MOST : value * 10;
    for (; places < 0 && divisor < MOST; places++)
        divisor *= 10;
    if (places < 0)
        /* the divisor would be at least 10^19, and `value` is below 10^17, so the quotient rounds
         * to 0 */
        return 0;
    value = (value + divisor / 2) / divisor;
    return value < MOST ? value : MOST;
}

bool img_decimal_read(const char **start, const char *end, int64_t *billionths)
{
    const char *at = *start;
    Digits digits = {0, 0, 0, 0};
    const bool negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    at = read_digits(at, end, false, &digits);
    if (at < end && *at == '.')
        at = read_digits(at + 1, end, true, &digits);
    if (digits.read == 0)
        return false;
    at = read_exponent(at, end, &digits);
    if (at == NULL || (at < end && *at != ' ' && *at != '\t'))
        return false;
    const int64_t value = moved(digits.value, digits.places + PLACES);
    *billionths = negative ? -value : value;
    *start = at;
    return true;
}
