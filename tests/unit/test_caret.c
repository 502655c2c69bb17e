/* Tests of messages that show a line of text and mark a part of it in the line below. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "app/text/caret.h"
#include "app/text/text.h"

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
    /* The character takes two columns. */
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
