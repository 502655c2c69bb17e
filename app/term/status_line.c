#include "app/term/status_line.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/term/terminal.h"
#include "app/text/text.h"

enum { LINE_BYTES = 1024 };

/* escape sequence that erases the rest of the line (EL in ECMA-48) */
static const char erase_rest[] = "\033[K";

/* The mutex is recursive, because a thread between report_begin and report_end may print a
 * message. */
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int pauses;
static char line[LINE_BYTES]; /* text of the status line; "": there is no status line */
/* true while the line is visible on the terminal. It is atomic, because a signal handler reads it
 * (status_line_leave) */
static atomic_bool drawn;

bool status_line_possible(void)
{
    const char *kind = getenv("TERM");
    return isatty(STDERR_FILENO) && (kind == NULL || strcmp(kind, "dumb") != 0);
}

/* The last column of the terminal stays free, because some terminals begin a new line when a
 * character is written there. */
size_t status_line_columns(void)
{
    int columns = terminal_columns(STDERR_FILENO);
    return (size_t)(columns > 0 ? columns : TEXT_WIDTH) - 1;
}

/* Draws the text in place of the current status line, by one write, so that no partial line is
 * visible. */
static void put(const char *text)
{
    char whole[LINE_BYTES + sizeof erase_rest + 1];
    int size = snprintf(whole, sizeof whole, "\r%s%s", text, erase_rest);
    fwrite(whole, 1, (size_t)size, stderr);
    fflush(stderr);
    atomic_store(&drawn, text[0] != '\0');
}

static void draw(void)
{
    char text[LINE_BYTES];
    text_cut(line, status_line_columns(), terminal_utf8(), text, sizeof text);
    put(text);
}

void status_line_show(const char *text)
{
    if (!status_line_possible())
        return;
    pthread_mutex_lock(&lock);
    snprintf(line, sizeof line, "%s", text);
    if (pauses == 0)
        draw();
    pthread_mutex_unlock(&lock);
}

void status_line_clear(void)
{
    pthread_mutex_lock(&lock);
    line[0] = '\0';
    if (atomic_load(&drawn))
        put("");
    pthread_mutex_unlock(&lock);
}

void status_line_pause(void)
{
    pthread_mutex_lock(&lock);
    pauses++;
    if (atomic_load(&drawn))
        put("");
}

void status_line_resume(void)
{
    pauses--;
    if (pauses == 0 && line[0] != '\0')
        draw();
    pthread_mutex_unlock(&lock);
}

void status_line_leave(void)
{
    if (atomic_load(&drawn))
        (void)!write(STDERR_FILENO, "\n", 1);
}
