/* Tests of parsing and printing counts, sizes, percentages and times. */
#include <criterion/criterion.h>
#include <string.h>

#include "app/text/amounts.h"

typedef struct Case {
    const char *text;
    uint64_t value; /* expected value; 0 if the text must be rejected */
} Case;

Test(app_amounts, counts_take_decimal_prefixes)
{
    static const Case cases[] = {
        {"1", 1},
        {"1000", 1000},
        {"80M", 80000000},
        {"80m", 80000000},
        {"500k", 500000},
        {"1.5G", 1500000000},
        {"0.000001M", 1},
        {"2T", 2000000000000},
        {"18446744073709551615", UINT64_MAX},
        {"18446744073709551616", 0},
        {"18446744073709551615k", 0},
        {"99999999999999999999999999", 0},
        {"0", 0},
        {"0.5", 0},
        {"", 0},
        {"k", 0},
        {"-1", 0},
        {"+1", 0},
        {" 1", 0},
        {"1 k", 0},
        {"1.", 0},
        {".5k", 0},
        {"1.k", 0},
        {"1e9", 0},
        {"0x10", 0},
        {"1kk", 0},
        {"1KiB", 0},
        {"1Q", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t value = 7;
        ImgError err = {IMG_OK, ""};
        ImgStatus status = amount_parse_count(cases[i].text, &value, &err);
        cr_expect_eq(status, cases[i].value != 0 ? IMG_OK : IMG_E_USAGE, "'%s'", cases[i].text);
        cr_expect_eq(value, cases[i].value != 0 ? cases[i].value : 7, "'%s'", cases[i].text);
        cr_expect(status == IMG_OK || strstr(err.message, cases[i].text) != NULL);
    }
}

Test(app_amounts, sizes_take_binary_and_decimal_prefixes)
{
    static const Case cases[] = {
        {"640", 640},
        {"640B", 640},
        {"1K", 1024},
        {"1KiB", 1024},
        {"1kb", 1000},
        {"1.5K", 1536},
        {"2G", UINT64_C(2) << 30},
        {"2GiB", UINT64_C(2) << 30},
        {"2GB", 2000000000},
        {"1.5T", UINT64_C(3) << 39},
        {"0.333333T", 366503509421},
        {"16777215T", UINT64_C(16777215) << 40},
        {"16777216T", 0},
        {"1P", 0},
        {"1GiBs", 0},
        {"G", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t value = 7;
        ImgStatus status = amount_parse_bytes(cases[i].text, &value, NULL);
        cr_expect_eq(status, cases[i].value != 0 ? IMG_OK : IMG_E_USAGE, "'%s'", cases[i].text);
        cr_expect_eq(value, cases[i].value != 0 ? cases[i].value : 7, "'%s' is %llu", cases[i].text,
                     (unsigned long long)value);
    }
}

Test(app_amounts, counts_are_printed_with_separators)
{
    char text[AMOUNT_TEXT];
    cr_expect_str_eq(amount_print_count(0, text), "0");
    cr_expect_str_eq(amount_print_count(999, text), "999");
    cr_expect_str_eq(amount_print_count(1000, text), "1,000");
    cr_expect_str_eq(amount_print_count(UINT64_MAX, text), "18,446,744,073,709,551,615");
}

Test(app_amounts, percentages_round_to_0_and_100_only_when_exact)
{
    char text[AMOUNT_TEXT];
    cr_expect_str_eq(amount_print_percent(0, 7, 3, text), "0.000");
    cr_expect_str_eq(amount_print_percent(7, 7, 3, text), "100.000");
    cr_expect_str_eq(amount_print_percent(1, 8, 3, text), "12.500");
    cr_expect_str_eq(amount_print_percent(1, 3, 1, text), "33.3");
    cr_expect_str_eq(amount_print_percent(1, 1000000, 3, text), "<0.001");
    cr_expect_str_eq(amount_print_percent(999999, 1000000, 3, text), ">99.999");
    cr_expect_str_eq(amount_print_percent(1, 100001, 2, text), "<0.01");
    cr_expect_str_eq(amount_print_percent(1, 10000, 2, text), "0.01");
}

Test(app_amounts, a_suggested_option_is_large_enough)
{
    static const uint64_t needs[] = {1,
                                     1024,
                                     1025,
                                     123456,
                                     99999999,
                                     UINT64_C(5) << 30,
                                     (UINT64_C(5) << 30) + 1,
                                     UINT64_C(77) << 40,
                                     UINT64_MAX - (UINT64_C(1) << 40) + 1,
                                     UINT64_MAX};
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        char text[AMOUNT_TEXT];
        uint64_t value = 0;
        cr_expect_eq(amount_parse_bytes(amount_print_option(needs[i], text), &value, NULL), IMG_OK);
        cr_expect(value >= needs[i] && value - needs[i] <= needs[i] / 10 + 1024, "%s", text);
    }
}

Test(app_amounts, times_take_units_up_to_days)
{
    static const Case cases[] = {
        {"1", 1},     {"90", 90},    {"30s", 30}, {"15m", 900}, {"1.5m", 90},
        {"2h", 7200}, {"1d", 86400}, {"0", 0},    {"0.5s", 0},  {"never", 0},
        {"-1s", 0},   {"5 m", 0},    {"1w", 0},   {"10ms", 0},  {"", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ImgError err = {IMG_OK, ""};
        uint64_t seconds = 0;
        ImgStatus status = amount_parse_seconds(cases[i].text, &seconds, &err);
        cr_expect_eq(status, cases[i].value > 0 ? IMG_OK : IMG_E_USAGE, "%s", cases[i].text);
        cr_expect_eq(seconds, cases[i].value, "%s", cases[i].text);
    }
}
