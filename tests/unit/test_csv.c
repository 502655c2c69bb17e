/* Tests of CSV fields. Names stay unchanged in files and pipes, and are cleaned on a terminal. The
 * function isatty in this program replaces that of the C library. */
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
