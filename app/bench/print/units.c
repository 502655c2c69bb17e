#include "app/bench/print/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/text/amounts.h"
#include "app/text/text.h"

const char *bench_number_text(double number, char text[BENCH_UNIT])
{
    if (!isfinite(number))
        snprintf(text, BENCH_UNIT, "-");
    else if (number == 0)
        snprintf(text, BENCH_UNIT, "0");
    else if (number < 0.000995 || number >= 999999.5)
        snprintf(text, BENCH_UNIT, "%.*e", number < 1e-99 || number >= 1e99 ? 0 : 1, number);
    else
        snprintf(text, BENCH_UNIT, "%.*f",
                 number < 0.00995  ? 4
                 : number < 0.0995 ? 3
                 : number < 9.995  ? 2
                 : number < 99.95  ? 1
                                   : 0,
                 number);
    return text;
}

const char *bench_time_text(double seconds, char text[BENCH_UNIT])
{
    static const struct {
        double seconds;
        const char *name;
    } units[] = {{1e-9, "ns"}, {1e-6, "us"}, {1e-3, "ms"}, {1, "s"}};
    char number[BENCH_UNIT];
    int unit = 0;
    while (unit < 3 && seconds / units[unit].seconds >= 999.5)
        unit++;
    if (seconds == 0)
        unit = 3;
    bench_number_text(seconds / units[unit].seconds, number);
    snprintf(text, BENCH_UNIT, "%.16s %s", number, units[unit].name);
    return text;
}

const char *bench_rate_text(double per_second, char text[BENCH_UNIT])
{
    return bench_number_text(per_second / 1e9, text);
}

/* Writes a value with `digits` digits and a prefix such as k or M. The prefix is the largest one
 * for which the rounded value is at least 1. */
static const char *print_prefixed(double value, int digits, const char *unit, char text[BENCH_UNIT])
{
    static const char prefixes[] = " kMGTPE";
    int prefix = 0;
    double rounding = 1 - 0.5 * pow(10, -digits);
    while (prefix < 6 && value >= 1000 * rounding) {
        value /= 1000;
        prefix++;
    }
    int whole = value >= 100 * rounding ? 3 : value >= 10 * rounding ? 2 : 1;
    if (prefix == 0)
        snprintf(text, BENCH_UNIT, "%.0f %s", value, unit);
    else
        snprintf(text, BENCH_UNIT, "%.*f %c%s", digits - whole, value, prefixes[prefix], unit);
    return text;
}

const char *bench_bytes_text(uint64_t bytes, char text[BENCH_UNIT])
{
    return print_prefixed((double)bytes, 3, bytes < 1000 ? "bytes" : "B", text);
}

const char *bench_count_text(uint64_t count, char text[BENCH_UNIT])
{
    char grouped[AMOUNT_TEXT];
    if (count >= 1000000)
        return print_prefixed((double)count, 4, "", text);
    snprintf(text, BENCH_UNIT, "%.*s", BENCH_UNIT - 1, img_amount_print_count(count, grouped));
    return text;
}

/* Writes `part` as a percentage; 1 is 100 %. Below 100 % the text has one decimal, otherwise
 * none. */
static void print_percent(double part, char text[BENCH_UNIT])
{
    double percent = 100 * part;
    if (!isfinite(percent) || percent >= 99999.5)
        snprintf(text, BENCH_UNIT, "-");
    else if (percent > 0 && percent < 0.05)
        snprintf(text, BENCH_UNIT, "<0.1 %%");
    else
        snprintf(text, BENCH_UNIT, "%.*f %%", percent < 99.95 ? 1 : 0, percent);
}

const char *bench_share_text(double share, char text[BENCH_UNIT])
{
    print_percent(share, text);
    return text;
}

const char *bench_noise_text(double noise, bool utf8, char text[BENCH_UNIT])
{
    char percent[BENCH_UNIT];
    print_percent(noise, percent);
    bool sign = utf8 && percent[0] >= '0' && percent[0] <= '9';
    snprintf(text, BENCH_UNIT, "%s%.16s", sign ? "\u00b1" : "", percent);
    return text;
}

const char *bench_clean_text(const char *from, char text[BENCH_CLEAN])
{
    bool utf8 = text_is_utf8((const uint8_t *)from, strlen(from));
    size_t length = 0;
    for (const uint8_t *at = (const uint8_t *)from; *at != '\0' && length + 5 < BENCH_CLEAN;) {
        bool c1_control = utf8 && at[0] == 0xC2 && at[1] < 0xA0;
        bool strange = at[0] < 0x20 || at[0] == 0x7F || c1_control || (!utf8 && at[0] >= 0x80);
        text[length++] = (char)(strange ? '?' : at[0]);
        at++;
        for (; utf8 && (at[0] & 0xC0) == 0x80; at++)
            if (!strange)
                text[length++] = (char)at[0];
    }
    text[length] = '\0';
    return text;
}

size_t bench_text_width(const char *text)
{
    size_t width = 0;
    for (; *text != '\0'; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}
