/* Tests of app/text: counts, sizes, percentages and times; a line of text with a part of it marked;
 * CSV fields. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/text/amounts.h"
#include "app/text/caret.h"
#include "app/text/csv.h"
#include "app/text/text.h"

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
        ImgStatus status = img_amount_parse_count(cases[i].text, &value, &err);
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
        ImgStatus status = img_amount_parse_bytes(cases[i].text, &value, NULL);
        cr_expect_eq(status, cases[i].value != 0 ? IMG_OK : IMG_E_USAGE, "'%s'", cases[i].text);
        cr_expect_eq(value, cases[i].value != 0 ? cases[i].value : 7, "'%s' is %llu", cases[i].text,
                     (unsigned long long)value);
    }
}

Test(app_amounts, counts_are_printed_with_separators)
{
    char text[AMOUNT_TEXT];
    cr_expect_str_eq(img_amount_print_count(0, text), "0");
    cr_expect_str_eq(img_amount_print_count(999, text), "999");
    cr_expect_str_eq(img_amount_print_count(1000, text), "1,000");
    cr_expect_str_eq(img_amount_print_count(UINT64_MAX, text), "18,446,744,073,709,551,615");
}

Test(app_amounts, percentages_round_to_0_and_100_only_when_exact)
{
    char text[AMOUNT_TEXT];
    cr_expect_str_eq(img_amount_print_percent(0, 7, 3, text), "0.000");
    cr_expect_str_eq(img_amount_print_percent(7, 7, 3, text), "100.000");
    cr_expect_str_eq(img_amount_print_percent(1, 8, 3, text), "12.500");
    cr_expect_str_eq(img_amount_print_percent(1, 3, 1, text), "33.3");
    cr_expect_str_eq(img_amount_print_percent(1, 1000000, 3, text), "<0.001");
    cr_expect_str_eq(img_amount_print_percent(999999, 1000000, 3, text), ">99.999");
    cr_expect_str_eq(img_amount_print_percent(1, 100001, 2, text), "<0.01");
    cr_expect_str_eq(img_amount_print_percent(1, 10000, 2, text), "0.01");
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
        cr_expect_eq(img_amount_parse_bytes(img_amount_print_option(needs[i], text), &value, NULL),
                     IMG_OK);
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
        ImgStatus status = img_amount_parse_seconds(cases[i].text, &seconds, &err);
        cr_expect_eq(status, cases[i].value > 0 ? IMG_OK : IMG_E_USAGE, "%s", cases[i].text);
        cr_expect_eq(seconds, cases[i].value, "%s", cases[i].text);
    }
}

/* --- Marks in the line below a text ----------------------------------------------------------- */

static char shown[CARET_SIZE];

static void expect(const char *line, size_t start, size_t size, const char *wanted)
{
    caret_print(line, strlen(line), start, size, shown);
    cr_expect_str_eq(shown, wanted, "'%s': %s", line, shown);
}

Test(caret, the_whole_word_is_marked)
{
    expect("rotate angel=90 | flip", 7, 5, "  rotate angel=90 | flip\n         ^~~~~\n");
    expect("filp", 0, 4, "  filp\n  ^~~~\n");
    expect("rotate |", 8, 0, "  rotate |\n          ^\n");
    expect("", 0, 0, "  \n  ^\n");
}

Test(caret, only_the_line_is_shown)
{
    caret_print("flip\nrotate", 4, 4, 0, shown);
    cr_expect_str_eq(shown, "  flip\n      ^\n");
}

Test(caret, columns_are_counted)
{
    expect("\xC3\xB6 x", 3, 1, "  \xC3\xB6 x\n    ^\n");
    expect("\xC3\xB6\xC3\xB6 x", 0, 4, "  \xC3\xB6\xC3\xB6 x\n  ^~\n");
    /* This Chinese character takes two columns. */
    expect("\xE6\xBC\xA2 x", 4, 1, "  \xE6\xBC\xA2 x\n     ^\n");
}

Test(caret, control_characters_are_replaced)
{
    expect("a\tb\x1B[2J\xFF", 2, 6, "  a b?[2J?\n    ^~~~~~\n");
    expect("a\r\n\v\fb", 5, 1, "  a    b\n       ^\n");
}

/* A line of 100 columns: ten times "0123456789". */
static const char long_line[] =
    "0123456789012345678901234567890123456789012345678901234567890123456789"
    "012345678901234567890123456789";

Test(caret, text_far_from_the_mark_is_left_out)
{
    expect(long_line, 0, 1,
           "  0123456789012345678901234567890123456789012345678901234567890123456789012...\n"
           "  ^\n");
    expect(long_line, 50, 2,
           "  ...0123456789012345678901234567890123456789012345678901234567890123456789...\n"
           "                                             ^~\n");
    expect(long_line, 99, 1,
           "  ...90123456789012345678901234567890123456789\n"
           "                                             ^\n");
    expect(long_line, 2, 90,
           "  0123456789012345678901234567890123456789012345678901234567890123456789012...\n"
           "    ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n");
}

Test(caret, a_line_that_fits_is_whole)
{
    char line[CARET_COLUMNS + 1];
    memcpy(line, long_line, CARET_COLUMNS);
    line[CARET_COLUMNS] = '\0';
    caret_print(line, CARET_COLUMNS, CARET_COLUMNS - 1, 1, shown);
    cr_expect_eq(strncmp(shown + CARET_INDENT, line, CARET_COLUMNS), 0, "%s", shown);
    caret_print(line, CARET_COLUMNS, CARET_COLUMNS, 0, shown);
    cr_expect_eq(strncmp(shown + CARET_INDENT, line, CARET_COLUMNS), 0, "%s", shown);
}

/* Prints a random line with a random mark. The result must be two lines of UTF-8 that fit the
 * terminal and have no control characters: the text and the mark below it. */
static void check_random(unsigned *seed)
{
    static const char *const pieces[] = {
        "a",   " ", "\t", "\xC3\xB6", "\xE6\xBC\xA2", "\xFF", "\xF0\x9F\x98", "\xF0\x9F\x98\x80",
        "\x1B"};
    char line[800] = "";
    size_t count = (size_t)rand_r(seed) % 160;
    for (size_t i = 0; i < count; i++)
        strcat(line, pieces[(size_t)rand_r(seed) % (sizeof pieces / sizeof *pieces)]);
    size_t length = strlen(line), start = (size_t)rand_r(seed) % (length + 1);
    char *exact = malloc(length + 1), *end = exact + 1;
    for (size_t i = 0; i < length; i++)
        *end++ = line[i]; /* No byte follows the text in its allocation, not even a NUL. */
    caret_print(exact + 1, length, start, (size_t)rand_r(seed) % (length - start + 1), shown);
    free(exact);

    char copy[CARET_SIZE];
    const char *below = strchr(shown, '\n') + 1;
    size_t text_size = (size_t)(below - shown) - 1;
    cr_expect(text_is_utf8((const uint8_t *)shown, strlen(shown)));
    memcpy(copy, shown, text_size);
    copy[text_size] = '\0';
    char cut[CARET_SIZE];
    size_t columns = text_cut(copy, SIZE_MAX, true, cut, sizeof cut);
    cr_expect_str_eq(cut, copy);
    cr_expect_leq(columns, CARET_INDENT + CARET_COLUMNS);
    size_t mark = strspn(below, " ");
    cr_expect_eq(below[mark], '^');
    mark += 1 + strspn(below + mark + 1, "~");
    cr_expect_leq(mark, columns + 1);
    cr_expect_str_eq(below + mark, "\n");
}

Test(caret, any_input_gives_two_valid_lines)
{
    unsigned seed = 1;
    for (int i = 0; i < 20000; i++)
        check_random(&seed);
}

/* --- CSV fields ------------------------------------------------------------------------------- */

/* Names stay unchanged in files and pipes, and are cleaned on a terminal. The function
 * isatty in this program replaces that of the C library. */
static bool is_terminal, is_refused;

int isatty(int fd)
{
    (void)fd;
    errno = is_refused ? EPERM : ENOTTY;
    return !is_refused && is_terminal;
}

static void expect_field(FILE *out, const char *text, const char *wanted)
{
    char got[64] = "";
    rewind(out);
    cr_assert_eq(ftruncate(fileno(out), 0), 0);
    csv_text(out, text);
    rewind(out);
    (void)!fread(got, 1, sizeof got - 1, out);
    cr_expect_str_eq(got, wanted);
}

Test(csv, fields_for_programs_stay_unchanged)
{
    FILE *out = tmpfile();
    expect_field(out, "a.png", "a.png");
    expect_field(out, "a,\"b\".png", "\"a,\"\"b\"\".png\"");
    expect_field(out, "\033[2Ja.png", "\033[2Ja.png");
    fclose(out);
}

Test(csv, fields_for_a_terminal_are_cleaned)
{
    FILE *out = tmpfile();
    is_terminal = true;
    expect_field(out, "\033[2Ja.png", "?[2Ja.png");
    fclose(out);
}

/* A sandbox may forbid isatty later, so csv_begin must remember its answer. */
Test(csv, a_terminal_is_remembered_after_isatty_is_forbidden)
{
    FILE *out = tmpfile(), *other = tmpfile();
    is_terminal = true;
    csv_begin(out);
    is_refused = true;
    expect_field(out, "\033[2Ja.png", "?[2Ja.png");
    expect_field(other, "\033[2Ja.png", "\033[2Ja.png");
    fclose(out);
    fclose(other);
}
