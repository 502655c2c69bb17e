/* Tests of the status line on a pseudo-terminal, whose output the test reads, and of text that is
 * cut to fit a terminal. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "app/batch/report/progress.h"
#include "app/term/messages.h"
#include "app/term/status_line.h"
#include "app/term/terminal.h"
#include "app/text/text.h"

/* --- Text ------------------------------------------------------------------------------------- */

static void expect_cut(const char *text, size_t columns, const char *expected, size_t used)
{
    char cut[64];
    cr_expect_eq(text_cut(text, columns, true, cut, sizeof cut), used, "'%s'", text);
    cr_expect_str_eq(cut, expected);
}

Test(text_cut, columns_are_counted_and_not_bytes)
{
    expect_cut("abc", 3, "abc", 3);
    expect_cut("abc", 2, "ab", 2);
    expect_cut("abc", 0, "", 0);
    /* Each character is an "e" with an acute accent, which takes two bytes. */
    expect_cut("\xC3\xA9\xC3\xA9\xC3\xA9", 2, "\xC3\xA9\xC3\xA9", 2);
    expect_cut("\xE6\xBC\xA2\xE5\xAD\x97", 4, "\xE6\xBC\xA2\xE5\xAD\x97",
               4); /* Each of the two characters takes two columns. */
    expect_cut("\xE6\xBC\xA2\xE5\xAD\x97", 3, "\xE6\xBC\xA2", 2);
    expect_cut("\xF0\x9F\x98\x80!", 3, "\xF0\x9F\x98\x80!", 3); /* The emoji takes two columns. */
    expect_cut("\xF0\x9F\x98\x80!", 1, "", 0);
}

Test(text_cut, control_characters_are_replaced)
{
    expect_cut("a\x1B[2Jb\n\t\x7F", 20, "a?[2Jb???", 9);
    expect_cut("\xC2\x9B[m", 20, "?[m", 3); /* U+009B, CSI */
    /* U+202E, RIGHT-TO-LEFT OVERRIDE */
    const char turned[] = {(char)0xE2, (char)0x80, (char)0xAE, 'a', '\0'};
    expect_cut(turned, 20, "?a", 2);
    expect_cut("a\xFF\xC3", 20, "a??", 3); /* bytes that are not UTF-8 */
    expect_cut("\xE6\xBC", 20, "??", 2);   /* an incomplete character */
}

Test(text_cut, terminals_without_utf8_get_ascii)
{
    char cut[64];
    cr_expect_eq(text_cut("\xC3\xA9 x", 20, false, cut, sizeof cut), 3);
    cr_expect_str_eq(cut, "? x");
}

Test(text_cut, cut_text_fits_its_buffer)
{
    for (size_t size = 1; size <= 8; size++) {
        char *cut = malloc(size);
        text_cut("a\xE6\xBC\xA2\xE5\xAD\x97", 100, true, cut, size);
        size_t expected = size <= 1 ? 0 : size <= 4 ? 1 : size <= 7 ? 4 : 7;
        cr_expect_eq(strlen(cut), expected, "%zu", size);
        cr_expect(text_is_utf8((const uint8_t *)cut, strlen(cut)));
        free(cut);
    }
}

/* --- On a terminal ---------------------------------------------------------------------------- */

enum { SEEN = 1 << 20 };

static struct {
    int ours;
    pthread_t reader;
    char *text; /* all text that was printed on the terminal */
    size_t size;
    int saved_stderr, saved_stdout;
} seen;

static void *read_all(void *none)
{
    ssize_t now;
    while (seen.size < SEEN - 1 &&
           (now = read(seen.ours, seen.text + seen.size, SEEN - 1 - seen.size)) > 0)
        seen.size += (size_t)now;
    return none;
}

/* Replaces stderr and stdout by a pseudo-terminal of `columns` columns. */
static void terminal_begin(unsigned short columns)
{
    int theirs;
    struct termios raw;
    struct winsize size = {.ws_row = 24, .ws_col = columns};
    memset(&raw, 0, sizeof raw);
    cfmakeraw(&raw);
    setenv("TERM", "xterm", 1);
    seen.text = calloc(1, SEEN);
    cr_assert_eq(openpty(&seen.ours, &theirs, NULL, &raw, &size), 0);
    fflush(stdout);
    seen.saved_stderr = dup(STDERR_FILENO);
    seen.saved_stdout = dup(STDOUT_FILENO);
    dup2(theirs, STDERR_FILENO);
    dup2(theirs, STDOUT_FILENO);
    close(theirs);
    cr_assert_eq(pthread_create(&seen.reader, NULL, read_all, NULL), 0);
}

static const char *terminal_end(void)
{
    fflush(stdout);
    dup2(seen.saved_stderr, STDERR_FILENO);
    dup2(seen.saved_stdout, STDOUT_FILENO);
    /* The thread that reads the terminal ends when the terminal's other side is closed. */
    pthread_join(seen.reader, NULL);
    return seen.text;
}

static const ImgError bad = {IMG_E_FORMAT, "a.png: is damaged in a way that takes some words"};

Test(status_line, messages_replace_the_status_line)
{
    terminal_begin(80);
    status_line_show("1 of 2");
    report_failure(&bad);
    status_line_show("2 of 2");
    status_line_clear();
    cr_expect_str_eq(terminal_end(),
                     "\r1 of 2\033[K"
                     "\r\033[Kimgtool: a.png: is damaged in a way that takes some words\n"
                     "\r1 of 2\033[K"
                     "\r2 of 2\033[K"
                     "\r\033[K");
}

Test(status_line, results_replace_the_status_line)
{
    terminal_begin(80);
    status_line_show("1 of 2");
    report_begin();
    printf("one result\n");
    status_line_show("2 of 2");
    report_failure(&bad);
    report_end();
    status_line_clear();
    cr_expect_str_eq(terminal_end(), "\r1 of 2\033[K"
                                     "\r\033[Kone result\n"
                                     "imgtool: a.png: is damaged in a way that takes some words\n"
                                     "\r2 of 2\033[K"
                                     "\r\033[K");
}

Test(status_line, the_status_line_is_cut_to_the_terminal)
{
    terminal_begin(10);
    cr_expect_eq(status_line_columns(), 9);
    status_line_show("0123456789");
    status_line_show("\033[2J");
    status_line_clear();
    cr_expect_str_eq(terminal_end(), "\r012345678\033[K\r?[2J\033[K\r\033[K");
}

Test(status_line, without_a_status_line_messages_stay_the_same)
{
    terminal_begin(80);
    report_failure(&bad);
    status_line_clear();
    status_line_leave();
    cr_expect_str_eq(terminal_end(), "imgtool: a.png: is damaged in a way that takes some words\n");
}

Test(status_line, text_after_a_killed_program_starts_on_its_own_line)
{
    terminal_begin(80);
    status_line_show("1 of 2");
    status_line_leave();
    cr_expect_str_eq(terminal_end(), "\r1 of 2\033[K\n");
}

Test(status_line, dumb_terminals_get_no_status_line)
{
    terminal_begin(80);
    setenv("TERM", "dumb", 1);
    bool possible = status_line_possible();
    status_line_show("1 of 2");
    cr_expect_str_eq(terminal_end(), "");
    cr_expect_not(possible);
}

Test(status_line, without_a_terminal_on_stderr_there_is_no_status_line)
{
    char *text;
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    int saved = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    bool possible = status_line_possible();
    status_line_show("1 of 2");
    report_failure(&bad);
    status_line_clear();
    dup2(saved, STDERR_FILENO);
    text = calloc(1, 1024);
    cr_assert(read(ends[0], text, 1023) > 0);
    cr_expect_not(possible);
    cr_expect_str_eq(text, "imgtool: a.png: is damaged in a way that takes some words\n");
    free(text);
}

enum { THREADS = 4, MESSAGES = 100 };

static void *complain(void *none)
{
    for (int i = 0; i < MESSAGES; i++) {
        report_failure(&bad);
        report_begin();
        printf("a result\n");
        report_end();
    }
    return none;
}

/* The test removes the status lines and the sequences that erase them from the output. Only whole
 * messages may remain. */
Test(status_line, messages_of_threads_never_mix)
{
    pthread_t threads[THREADS];
    terminal_begin(80);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, complain, NULL);
    for (int i = 0; i < 500; i++)
        status_line_show("working");
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    status_line_clear();
    const char *at = terminal_end();
    static const char line[] = "imgtool: a.png: is damaged in a way that takes some words\n";
    int messages = 0, results = 0;
    while (*at != '\0') {
        static const char *const known[] = {"\rworking\033[K", "\r\033[K", line, "a result\n"};
        size_t which = 0;
        while (which < 4 && strncmp(at, known[which], strlen(known[which])) != 0)
            which++;
        cr_assert_lt(which, 4, "'%.60s'", at);
        at += strlen(known[which]);
        messages += which == 2;
        results += which == 3;
    }
    cr_expect_eq(messages, THREADS * MESSAGES);
    cr_expect_eq(results, THREADS * MESSAGES);
}

Test(status_line, progress_reacts_to_an_interrupt_at_once)
{
    Settings settings;
    settings_init(&settings);
    BatchTotals totals = {.files = 5, .done = 2, .under_way = 2};
    terminal_begin(80);
    Progress *progress = progress_start(&settings);
    progress_show(progress, &totals, false); /* too early for a first status line */
    progress_show(progress, &totals, true);
    progress_end(progress);
    cr_expect_str_eq(terminal_end(), "\r2 of 5 files, finishing 2 files under way, interrupt again "
                                     "to stop\033[K\r\033[K");
}
