#include "app/term/messages.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/exit_code.h"
#include "app/term/interrupt.h"
#include "app/term/status_line.h"
#include "app/text/caret.h"
#include "app/text/streams.h"
#include "app/text/text.h"

static _Thread_local FILE *diverted; /* stream for the messages of this thread; NULL: stderr */

void messages_divert(FILE *to)
{
    diverted = to;
}

FILE *messages_stream(void)
{
    return diverted != NULL ? diverted : stderr;
}

void report_begin(void)
{
    status_line_pause();
}

void report_end(void)
{
    errno = 0;
    img_streams_flush_stdout();
    status_line_resume();
}

/* Prints a message and, below it, the text `more`. Both are printed by one write, so that lines
 * stay whole even if several processes write to stderr. No memory is allocated, because none may be
 * left. `more` has at most CARET_SIZE bytes, and must be safe for a terminal. */
static void say(const char *message, const char *more)
{
    static const char name[] = "imgtool: ";
    char line[sizeof name + IMG_MESSAGE_SIZE + CARET_SIZE];
    size_t size = sizeof name - 1;
    memcpy(line, name, size);
    size += text_copy_clean(line + size, message);
    size += (size_t)snprintf(line + size, sizeof line - size, "\n%s", more);
    if (diverted != NULL) {
        fwrite(line, 1, size, diverted);
        return;
    }
    status_line_pause();
    /* The results on stdout must come before the message, in case both streams go to the same
     * file. */
    /* Without this, a failure of stdout here would be reported with the reason of an earlier
     * failure. */
    errno = 0;
    img_streams_flush_stdout();
    fwrite(line, 1, size, stderr);
    status_line_resume();
}

/* Returns advice to append to certain messages; "" for all others. The advice names options and
 * commands, which only the command line knows. */
static const char *more_to_do(const char *message)
{
    static const char cpu[] = "; use the CPU";
    const size_t length = strlen(message);
    if (length >= sizeof cpu - 1 && strcmp(message + length - (sizeof cpu - 1), cpu) == 0)
        return " (--backend cpu)";
    if (strstr(message, "there is no operation '") != NULL && message[length - 1] == '\'')
        return "; 'imgtool ops' lists them";
    return "";
}

int report_failure(const ImgError *err)
{
    return report_failure_at(err, "");
}

int report_failure_at(const ImgError *err, const char *mark)
{
    char message[IMG_MESSAGE_SIZE];
    const int length =
        snprintf(message, sizeof message, "%s%s", err->message, more_to_do(err->message));
    say(length < IMG_MESSAGE_SIZE ? message : err->message, mark);
    return exit_code_of(err->status);
}

static void show(void *context, const char *text)
{
    (void)context;
    say(text, "");
}

const EngineProgram *report_program(void)
{
    static EngineProgram program = {.show = show, .has_options = true};
    program.outputs = interrupt_hooks();
    return &program;
}
