/* Fields of CSV: names as they are for programs, made fit for a terminal. This program's own isatty
 * takes the place of the C library's. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/text/csv.h"

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

Test(csv, fields_for_programs)
{
    FILE *out = tmpfile();
    expect_field(out, "a.png", "a.png");
    expect_field(out, "a,\"b\".png", "\"a,\"\"b\"\".png\"");
    expect_field(out, "\033[2Ja.png", "\033[2Ja.png");
    fclose(out);
}

Test(csv, fields_for_a_terminal)
{
    FILE *out = tmpfile();
    is_terminal = true;
    expect_field(out, "\033[2Ja.png", "?[2Ja.png");
    fclose(out);
}

/* As in a sandbox that does not know how a C library asks. */
Test(csv, a_terminal_is_one_when_nobody_may_ask_any_more)
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
